#include "page/form/pattern_words.hpp"

#include <optional>
#include <vector>

#include "base/ascii.hpp"

namespace svc::page {
namespace {

// The inside of ^[…]+$ or ^[…]*$.
std::optional<std::string_view> only_class(std::string_view pattern) {
    const bool whole = pattern.starts_with("^[") &&
                       (pattern.ends_with("]+$") || pattern.ends_with("]*$")) && pattern.size() > 5;
    if (!whole) return std::nullopt;
    const std::string_view inside = pattern.substr(2, pattern.size() - 5);
    const bool plain = inside.find_first_of("[]\\^") == std::string_view::npos;
    return plain ? std::optional(inside) : std::nullopt;
}

bool is_range(std::string_view rest) {
    return rest.size() > 2 && rest[1] == '-' && base::is_alphanumeric(rest[0]) &&
           base::is_alphanumeric(rest[2]);
}

// Parts of a class: "A to Z", "-". Bytes of other scripts stay together as they are.
std::vector<std::string> parts_of(std::string_view inside) {
    std::vector<std::string> out;
    bool joins = false;  // the byte before belongs to the same text
    while (!inside.empty()) {
        if (is_range(inside)) {
            out.push_back(std::string(1, inside[0]) + " to " + inside[2]);
            inside.remove_prefix(3);
            joins = false;
            continue;
        }
        const bool far = static_cast<unsigned char>(inside[0]) >= 0x80;
        if (far && joins)
            out.back() += inside[0];
        else
            out.push_back(inside[0] == ' ' ? "spaces" : std::string(1, inside[0]));
        joins = far;
        inside.remove_prefix(1);
    }
    return out;
}

}  // namespace

std::string pattern_words(std::string_view pattern) {
    const auto inside = only_class(pattern);
    if (!inside) return {};
    const std::vector<std::string> parts = parts_of(*inside);
    std::string out = "Use only ";
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) out += i + 1 == parts.size() ? " and " : ", ";
        out += parts[i];
    }
    return out + ".";
}

}  // namespace svc::page
