#include "cli/json_text.hpp"

#include <cstddef>

namespace svc::cli {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::size_t skip_space(std::string_view text, std::size_t at) {
    const auto next = text.find_first_not_of(kSpace, at);
    return next == std::string_view::npos ? text.size() : next;
}

// `at` is the opening quote; the answer is past the closing one.
std::size_t skip_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
    }
    return at < text.size() ? at + 1 : text.size();
}

std::size_t skip_value(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = skip_string(text, at);
            if (depth == 0) return at;
            continue;
        }
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') {
            if (depth == 0) return at;  // past a bare number or word, at its parent's end
            if (--depth == 0) return at + 1;
        }
        if (depth == 0 && (c == ',' || kSpace.find(c) != std::string_view::npos)) return at;
        ++at;
    }
    return at;
}

void new_line(std::string& out, std::size_t depth) {
    out += '\n';
    out.append(2 * depth, ' ');
}

}  // namespace

std::string_view member_text(std::string_view object, std::string_view key) {
    std::size_t at = skip_space(object, 0);
    if (at >= object.size() || object[at] != '{') return {};
    ++at;
    while ((at = skip_space(object, at)) < object.size() && object[at] == '"') {
        const std::size_t name_end = skip_string(object, at);
        const auto name = object.substr(at + 1, name_end - at - 2);
        at = skip_space(object, skip_space(object, name_end) + 1);  // past the colon
        const std::size_t end = skip_value(object, at);
        if (name == key) return object.substr(at, end - at);
        at = skip_space(object, end);
        if (at < object.size() && object[at] == ',') ++at;
    }
    return {};
}

std::string indented(std::string_view text) {
    std::string out;
    std::size_t depth = 0;
    for (std::size_t at = 0; (at = skip_space(text, at)) < text.size();) {
        const char c = text[at];
        if (c == '"') {
            const std::size_t end = skip_string(text, at);
            out += text.substr(at, end - at);
            at = end;
            continue;
        }
        ++at;
        if (c == '{' || c == '[') {
            out += c;
            const std::size_t next = skip_space(text, at);
            const bool empty = next < text.size() && (text[next] == '}' || text[next] == ']');
            if (empty) {
                out += text[next];
                at = next + 1;
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
