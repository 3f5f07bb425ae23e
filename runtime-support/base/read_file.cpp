#include "base/read_file.hpp"

#include <fstream>
#include <iterator>

namespace svc::base {

std::optional<std::string> read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    file.peek();  // a folder can be opened, and fails here
    if (!file.is_open() || file.bad()) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace svc::base
