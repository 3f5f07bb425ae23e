// JSON Pointer (RFC 6901). A header alone: programs that link nothing in common use it.
#pragma once

#include <string>
#include <string_view>

namespace svc::base {

// A member's name as a part of a pointer.
inline std::string pointer_part(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace svc::base
