#include "contract/shape/shape_report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/parts.hpp"
#include "contract/shape/other_keys.hpp"
#include "contract/shape/other_types.hpp"
#include "contract/shape/shape.hpp"
#include "contract/shape/type_mend.hpp"

namespace svc::contract {
namespace {

using Kind = Value::Kind;

std::string_view noun(Kind kind) {
    switch (kind) {
        case Kind::null:
            return "null";
        case Kind::boolean:
            return "true or false";
        case Kind::number:
            return "a number";
        case Kind::string:
            return "a string";
        case Kind::array:
            return "a list";
        case Kind::object:
            return "an object";
    }
    return "";
}

// As a name of a contract would be written: published_at of publishedAt and of Published-At.
std::string snake_case(std::string_view name) {
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool word = i > 0 && base::is_upper(name[i]) &&
                          (base::is_lower(name[i - 1]) || base::is_digit(name[i - 1]));
        if (word) out += '_';
        out += name[i] == '-' || name[i] == ' ' ? '_' : base::lower(name[i]);
    }
    return out;
}

std::string with_article(std::string_view noun) {
    const bool vowel = std::string_view("aeiouAEIOU").find(noun.front()) != std::string_view::npos;
    return (vowel ? "An " : "A ") + std::string(noun);
}

}  // namespace

void ShapeReport::wrong_type(const Value& value, std::string_view name, std::string_view wanted,
                             std::string fix) {
    const std::string subject = name.empty() ? "The contract" : json_string(name);
    if (name.empty()) fix = "begin with {\"app\": {\"name\": \"…\"}, \"entities\": []}";
    if (fix.empty()) fix = type_mend(value, wanted);
    findings_.error("WRONG_TYPE", value.path,
                    subject + " must be " + std::string(wanted) + ", but is " +
                        std::string(noun(value.kind)) + ".",
                    std::move(fix));
}

void ShapeReport::wrong_type(const Value& value, std::string_view name, Kind wanted) {
    wrong_type(value, name, noun(wanted));
}

void ShapeReport::no_list(const Value& value, std::string_view name, std::string_view wanted) {
    const bool one = value.is(Kind::string);
    wrong_type(value, name, wanted, one ? "write [" + json_string(value.text) + "]" : "");
}

void ShapeReport::list_of_one(const Value& list, std::string_view name) {
    std::string inside;
    for (const Value& item : list.items) {
        inside += (inside.empty() ? "" : ", ") + json_string(item.text);
    }
    findings_.error("WRONG_TYPE", list.path,
                    json_string(name) + " must be a list of lists, but this is a list of strings.",
                    "write [[" + inside + "]]");
}

void ShapeReport::no_expression(const Value& value, std::string_view name) {
    const bool plain = value.is(Kind::null) || value.is(Kind::boolean) || value.is(Kind::number);
    const std::string text = value.is(Kind::null) ? "null" : value.text;
    wrong_type(value, name, "a string", plain ? "write it as a string: " + json_string(text) : "");
}

std::string ShapeReport::unknown_key(const Member& member, const Shape& shape) {
    std::vector<std::string> known;
    std::vector<std::string_view> all;
    for (const Key& key : shape.keys) {
        known.emplace_back(key.name);
        all.push_back(key.name);
    }
    const std::string ours = instead_of_key(shape.noun, member.name);
    if (!ours.empty()) {
        findings_.error("UNKNOWN_KEY", name_of(member.value.path),
                        with_article(shape.noun) + " has no key " + json_string(member.name) + ".",
                        ours);
        return {};
    }
    std::string near = diag::nearest(member.name, known);
    findings_.error(
        "UNKNOWN_KEY", name_of(member.value.path),
        with_article(shape.noun) + " has no key " + json_string(member.name) + ".",
        near.empty() ? "the keys are " + base::joined(all) : "did you mean \"" + near + "\"?");
    return near;
}

void ShapeReport::missing_key(const Value& object, const Shape& shape, const Key& key) {
    findings_.error(
        "MISSING_KEY", object.path,
        "This " + std::string(shape.noun) + " has no \"" + std::string(key.name) + "\".",
        "add \"" + std::string(key.name) + "\" (" + std::string(key.what) + ")");
}

void ShapeReport::unknown_value(const Value& value, const Key& key) {
    const std::string near =
        diag::nearest(value.text, std::vector<std::string>(key.one_of.begin(), key.one_of.end()));
    const bool type = std::ranges::find(key.one_of, "datetime") != key.one_of.end();
    const std::string ours = type ? instead_of_type(value.text) : std::string();
    if (!ours.empty()) {
        return findings_.error(
            "UNKNOWN_VALUE", value.path,
            json_string(key.name) + " cannot be " + json_string(value.text) + ".", ours);
    }
    findings_.error("UNKNOWN_VALUE", value.path,
                    json_string(key.name) + " cannot be " + json_string(value.text) + ".",
                    !near.empty() ? "did you mean \"" + near + "\"?"
                    : key.one_of.size() == 1
                        ? "write " + json_string(key.one_of.front()) + ", or remove the key"
                        : "it is one of " + base::joined(key.one_of));
}

void ShapeReport::bad_name(const std::string& path, std::string_view name) {
    // Other parts may already use the right form of the name; they get no second finding.
    std::string meant = snake_case(name);
    const bool near = is_identifier(meant);
    const std::string ours =
        "write " + json_string(meant) + ": lower-case letters, digits and _, a letter first";
    if (meant != name) findings_.doubt(std::move(meant));
    findings_.error("BAD_NAME", path, json_string(name) + " is not a valid name.",
                    near ? ours
                         : "begin with a lower-case letter and go on with lower-case letters, "
                           "digits and _; at most 48 in all");
}

void ShapeReport::bad_pascal_name(const Value& value) {
    findings_.error("BAD_NAME", value.path, json_string(value.text) + " is not a valid name.",
                    "begin with a capital letter and go on with letters and digits, as in "
                    "\"OrderBoard\"; at most 48 in all");
}

void ShapeReport::bad_secret(const Value& value, const Key& key) {
    findings_.error("BAD_SECRET", value.path,
                    json_string(key.name) + " must name a secret, not contain one.",
                    "write \"secret:NAME\" (letters, digits and _), and set NAME as a secret of "
                    "the project");
}

void ShapeReport::bad_duration(const Value& value) {
    findings_.error("BAD_DURATION", value.path, json_string(value.text) + " is not a duration.",
                    "write a whole number and s, m, h or d: \"14d\"");
}

void ShapeReport::alone(const Member& member, std::span<const std::string_view> beside) {
    std::string names;
    for (const std::string_view name : beside) {
        names += (names.empty() ? "" : " or ") + json_string(name);
    }
    findings_.error("MISSING_KEY", name_of(member.value.path),
                    json_string(member.name) + " does nothing without " + names + ".",
                    "add " + names + ", or remove it");
}

void ShapeReport::two_of_one(const Member& first, const Member& second, const Shape& shape) {
    findings_.error("CONFLICTING_KEYS", name_of(second.value.path),
                    with_article(shape.noun) + " cannot have both " + json_string(first.name) +
                        " and " + json_string(second.name) + ".",
                    "split it in two, or remove one of the keys");
}

void ShapeReport::none_of_one(const Value& object, const Shape& shape) {
    findings_.error(
        "MISSING_KEY", object.path,
        "This " + std::string(shape.noun) + " has none of the keys of which it needs one.",
        "add one of " + base::joined(shape.one_key_of));
}

}  // namespace svc::contract
