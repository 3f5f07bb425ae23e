#include "emit/page/constants.hpp"

#include "base/ascii.hpp"
#include "base/parts.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

std::string braced(const std::vector<std::string>& items) {
    return "{" + base::joined(items) + "}";
}

}  // namespace

void Members::add(const std::string& name, const std::string& value) {
    text_ += (text_.empty() ? "." : ", .") + name + " = " + value;
}

void Members::text(const std::string& name, const std::string& value) {
    if (!value.empty()) add(name, cpp_literal(value));
}

void Members::code(const std::string& name, const std::string& value) {
    if (!value.empty()) add(name, value);
}

void Members::flag(const std::string& name, bool value) {
    if (value) add(name, "true");
}

std::string pascal_words(std::string_view text) {
    std::string out;
    bool upper = true;
    for (const char c : text) {
        if (c == ':') out += "By";
        const bool part = base::is_letter(c) || base::is_digit(c);
        if (part) out += upper ? base::upper(c) : c;
        upper = !part;
    }
    return out;
}

std::string Constants::array(const std::string& type, const std::string& name,
                             const std::vector<std::string>& items) {
    if (items.empty()) return {};
    std::string own = begin(type, name);
    text_ += "[] = {\n";
    for (const std::string& item : items) text_ += "    " + item + ",\n";
    text_ += "};\n";
    return own;
}

std::string Constants::row(const std::string& type, const std::string& name,
                           const std::vector<std::string>& items) {
    if (items.empty()) return {};
    std::string own = begin(type, name);
    text_ += "[] = " + braced(items) + ";\n";
    return own;
}

std::string Constants::object(const std::string& type, const std::string& name,
                              const Members& members) {
    std::string own = begin(type, name);
    text_ += " = " + members.lines() + ";\n";
    return own;
}

std::string Constants::shared(const std::string& type, const std::string& name,
                              const std::vector<std::string>& items) {
    const auto [known, added] = shared_.emplace(type + braced(items), "");
    if (added) {
        known->second = fresh(name);
        types_.insert(type);
        first_ += "constexpr " + type + " " + known->second + "[] = " + braced(items) + ";\n";
    }
    return known->second;
}

std::string Constants::value(const std::string& type, std::string_view of) {
    types_.insert(type);
    return type + "::" + std::string(of);
}

void Constants::heading(const std::string& text) { text_ += "\n// ==== " + text + " ====\n\n"; }

std::string Constants::text() const {
    std::string out;
    for (const std::string& type : types_) out += "using svc::page::" + type + ";\n";
    if (!first_.empty())
        out +=
            "\n// Texts that are one value: of the page's address, of the row or of the caller.\n" +
            first_;
    return out + text_;
}

std::string Constants::fresh(const std::string& name) {
    std::string out = name;
    for (int n = 2; !names_.insert(out).second; ++n) out = name + std::to_string(n);
    return out;
}

std::string Constants::begin(const std::string& type, const std::string& name) {
    if (type.find(':') == std::string::npos) types_.insert(type);
    std::string own = fresh(name);
    text_ += "constexpr " + type + " " + own;
    return own;
}

}  // namespace svc::emit
