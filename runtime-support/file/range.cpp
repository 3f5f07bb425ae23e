#include "file/range.hpp"

#include <algorithm>

#include "file/numbers.hpp"

namespace svc::file {

Range range_of(std::string_view header, std::uint64_t size) {
    const Range all{0, size};
    if (!header.starts_with("bytes=") || header.find(',') != std::string_view::npos) return all;
    header.remove_prefix(6);
    const std::size_t dash = header.find('-');
    if (dash == std::string_view::npos) return all;
    const auto first = whole(header.substr(0, dash)), last = whole(header.substr(dash + 1));
    if (dash == 0) {
        if (!last) return all;
        const std::uint64_t length = std::min(*last, size);
        return {size - length, length, length == 0 ? Range::Kind::outside : Range::Kind::part};
    }
    if (!first || (!last && dash + 1 != header.size()) || (last && *last < *first)) return all;
    if (*first >= size) return {0, 0, Range::Kind::outside};
    const std::uint64_t end = last && *last < size ? *last + 1 : size;
    return {*first, end - *first, Range::Kind::part};
}

}  // namespace svc::file
