#include "query/functions.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "sql/allowed.hpp"

namespace svc::query {

const std::vector<std::string>& functions() {
    static const std::vector<std::string> kAll = [] {
        std::istringstream words(std::string(sql::kBounded) + std::string(sql::kUnbounded));
        std::vector<std::string> out{std::istream_iterator<std::string>(words), {}};
        std::ranges::sort(out);
        return out;
    }();
    return kAll;
}

}  // namespace svc::query
