#include "cli/json_text.hpp"

#include <cstddef>

#include "base/json_slice.hpp"

namespace svc::cli {
namespace {

void new_line(std::string& out, std::size_t depth) {
    out += '\n';
    out.append(2 * depth, ' ');
}

}  // namespace

std::string_view member_text(std::string_view object, std::string_view key) {
    if (!base::take(object, '{')) return {};
    while (base::skip_space(object).starts_with('"')) {
        const std::string_view name = base::take_value(object);
        base::take(object, ':');
        const std::string_view value = base::take_value(object);
        if (name.substr(1, name.size() - 2) == key) return value;
        base::take(object, ',');
    }
    return {};
}

std::string indented(std::string_view text) {
    std::string out;
    std::size_t depth = 0;
    while (!(text = base::skip_space(text)).empty()) {
        const char c = text.front();
        if (c == '"') {
            out += base::take_value(text);
            continue;
        }
        text.remove_prefix(1);
        if (c == '{' || c == '[') {
            out += c;
            const char closing = c == '{' ? '}' : ']';
            if (base::take(text, closing)) {
                out += closing;
            } else {
                new_line(out, ++depth);
            }
        } else if (c == '}' || c == ']') {
            new_line(out, --depth);
            out += c;
        } else if (c == ',') {
            out += c;
            new_line(out, depth);
        } else if (c == ':') {
            out += ": ";
        } else {
            out += c;
        }
    }
    return out + "\n";
}

}  // namespace svc::cli
