#include "plan/condition/text.hpp"

namespace svc::plan {
namespace {

std::string escaped(char c) {
    switch (c) {
        case '"':
            return "\\\"";
        case '\\':
            return "\\\\";
        case '\n':
            return "\\n";
        case '?':
            return "\\?";  // no trigraphs
        default:
            break;
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) return {c};
    // Three octal digits always: a following digit cannot join them.
    const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)),
                          static_cast<char>('0' + ((byte >> 3) & 7)),
                          static_cast<char>('0' + (byte & 7)), '\0'};
    return octal;
}

}  // namespace

std::string cpp_literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) out += escaped(c);
    return out + "\"";
}

}  // namespace svc::plan
