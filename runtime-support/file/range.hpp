// The part of a file that a request asks for. Source: RFC 9110, 14.1.2.
#pragma once

#include <cstdint>
#include <string_view>

namespace svc::file {

// Bytes [from, from + length) of the file.
struct Range {
    std::uint64_t from = 0, length = 0;
    enum class Kind { whole, part, outside } kind = Kind::whole;
};

// A header that is not a single range gets the whole file.
Range range_of(std::string_view header, std::uint64_t size);

}  // namespace svc::file
