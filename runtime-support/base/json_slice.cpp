#include "base/json_slice.hpp"

#include <algorithm>

namespace svc::base {
namespace {

// The end of an array or an object.
std::size_t nest_end(std::string_view text) {
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"') {
            at = string_end(text, at);
            continue;
        }
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        ++at;
        if (depth == 0) return at;
    }
    return text.size();
}

std::size_t value_end(std::string_view text) {
    if (text.empty()) return 0;
    if (text.front() == '"') return string_end(text, 0);
    if (text.front() == '[' || text.front() == '{') return nest_end(text);
    return std::min(text.find_first_of(",]} \n\r\t"), text.size());
}

}  // namespace

std::size_t string_end(std::string_view text, std::size_t at) {
    for (++at; at < text.size(); ++at) {
        at = text.find_first_of("\"\\", at);
        if (at == std::string_view::npos) return text.size();
        if (text[at] == '"') return at + 1;
        ++at;
    }
    return text.size();
}

std::string_view skip_space(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kJsonSpace), text.size()));
    return text;
}

std::string_view take_value(std::string_view& text) {
    text = skip_space(text);
    const std::string_view value = text.substr(0, value_end(text));
    text.remove_prefix(value.size());
    return value;
}

bool take(std::string_view& text, char c) {
    text = skip_space(text);
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

}  // namespace svc::base
