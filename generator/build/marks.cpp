#include "build/marks.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace svc::build {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostMarks = 20'000;

}  // namespace

bool Marks::has(const std::string& key) const { return fs::exists(folder_ + "/" + key); }

void Marks::add(const std::vector<std::string>& keys) const {
    fs::create_directories(folder_);
    make_room();
    for (const std::string& key : keys) std::ofstream(folder_ + "/" + key).close();
}

void Marks::make_room() const {
    const auto count = std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    if (static_cast<std::size_t>(count) <= kMostMarks) return;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        std::error_code ignored;
        fs::remove(entry.path(), ignored);
    }
}

void add_part(std::string& text, const std::string& part) {
    text += std::to_string(part.size()) + ":" + part;
}

}  // namespace svc::build
