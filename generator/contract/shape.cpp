#include "contract/shape.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace svc::contract {
namespace {

using Kind = Value::Kind;

constexpr std::size_t kMaxIdentifier = 48;

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

std::string joined(std::span<const std::string_view> words) {
    std::string out;
    for (const std::string_view word : words) out += (out.empty() ? "" : ", ") + std::string(word);
    return out;
}

class Checker {
  public:
    explicit Checker(diag::Findings& findings) : findings_(findings) {}

    void object(const Value& value, const Shape& shape, std::string_view name) {
        if (!expect(value, Kind::object, name)) return;
        one_key(value, shape);
        for (const Member& member : value.members) {
            const Key* key = shape.find(member.name);
            if (key == nullptr) {
                unknown_key(member, shape);
            } else {
                this->member(member.value, *key);
            }
        }
        for (const Key& key : shape.keys) {
            if (!key.required || value.find(key.name) != nullptr) continue;
            findings_.error(
                "MISSING_KEY", value.path,
                "This " + std::string(shape.noun) + " has no \"" + std::string(key.name) + "\".",
                "add \"" + std::string(key.name) + "\" (" + std::string(key.what) + ")");
        }
    }

  private:
    bool expect(const Value& value, Kind kind, std::string_view name) {
        if (value.is(kind)) return true;
        wrong_type(value, name, noun(kind));
        return false;
    }

    void wrong_type(const Value& value, std::string_view name, std::string_view wanted) {
        const std::string subject = name.empty() ? "The contract" : json_string(name);
        findings_.error("WRONG_TYPE", value.path,
                        subject + " must be " + std::string(wanted) + ", but this is " +
                            std::string(noun(value.kind)) + ".");
    }

    void unknown_key(const Member& member, const Shape& shape) {
        std::vector<std::string> known;
        std::vector<std::string_view> all;
        for (const Key& key : shape.keys) {
            known.emplace_back(key.name);
            all.push_back(key.name);
        }
        const std::string near = diag::nearest(member.name, known);
        findings_.error(
            "UNKNOWN_KEY", name_of(member.value.path),
            article(shape.noun) + " has no key " + json_string(member.name) + ".",
            near.empty() ? "the keys are " + joined(all) : "did you mean \"" + near + "\"?");
    }

    static std::string article(std::string_view noun) {
        return (vowel(noun) ? "An " : "A ") + std::string(noun);
    }

    void one_key(const Value& value, const Shape& shape) {
        if (shape.one_key_of.empty()) return;
        const Member* first = nullptr;
        for (const Member& member : value.members) {
            const auto& choice = shape.one_key_of;
            if (std::find(choice.begin(), choice.end(), member.name) == choice.end()) continue;
            if (first == nullptr) {
                first = &member;
                continue;
            }
            findings_.error("CONFLICTING_KEYS", name_of(member.value.path),
                            article(shape.noun) + " has " + json_string(first->name) + " or " +
                                json_string(member.name) + ", not both.",
                            "make two of it, or take one out");
        }
        if (first != nullptr) return;
        findings_.error("MISSING_KEY", value.path,
                        "This " + std::string(shape.noun) + " does not say what it is.",
                        "add one of " + joined(shape.one_key_of));
    }

    static bool vowel(std::string_view word) {
        return std::string_view("aeiou").find(word.front()) != std::string_view::npos;
    }

    void member(const Value& value, const Key& key) {
        if (!key.runs && !empty(value)) {
            findings_.warning("NOT_RUNNING_YET", name_of(value.path),
                              json_string(key.name) + " is read but does nothing yet.",
                              "keep it for when it runs, or take it out");
        }
        this->value(value, key);
    }

    static bool empty(const Value& value) {
        switch (value.kind) {
            case Kind::null:
                return true;
            case Kind::boolean:
                return value.text == "false";
            case Kind::array:
                return value.items.empty();
            case Kind::object:
                return value.members.empty();
            case Kind::number:
            case Kind::string:
                return false;
        }
        return false;
    }

    void value(const Value& value, const Key& key) {
        switch (key.kind) {
            case KeyKind::any:
                return;
            case KeyKind::string:
            case KeyKind::expression:
            case KeyKind::template_:
            case KeyKind::duration:
            case KeyKind::size:
                return string(value, key);
            case KeyKind::identifier:
                return identifier(value, key);
            case KeyKind::flag:
                expect(value, Kind::boolean, key.name);
                return;
            case KeyKind::number:
                expect(value, Kind::number, key.name);
                return;
            case KeyKind::count:
                return count(value, key);
            case KeyKind::strings:
                return strings(value, key);
            case KeyKind::string_or_strings:
                return value.is(Kind::string) ? string(value, key) : strings(value, key);
            case KeyKind::string_lists:
                if (!expect(value, Kind::array, key.name)) return;
                for (const Value& item : value.items) strings(item, key);
                return;
            case KeyKind::object:
                return object(value, *key.shape, key.name);
            case KeyKind::objects:
                if (!expect(value, Kind::array, key.name)) return;
                for (const Value& item : value.items) object(item, *key.shape, key.shape->noun);
                return;
            case KeyKind::object_map:
                return map(value, key);
            case KeyKind::objects_map:
                return lists_map(value, key);
            case KeyKind::object_or_false:
                if (value.is(Kind::boolean) && value.text == "false") return;
                if (value.is(Kind::object)) return object(value, *key.shape, key.name);
                return wrong_type(value, key.name, "an object or false");
            case KeyKind::expression_or_object:
                if (value.is(Kind::string)) return;
                if (value.is(Kind::object)) return object(value, *key.shape, key.name);
                return wrong_type(value, key.name, "an expression or an object");
            case KeyKind::expression_map:
            case KeyKind::template_map:
                if (!expect(value, Kind::object, key.name)) return;
                for (const Member& member : value.members) {
                    expect(member.value, Kind::string, member.name);
                }
                return;
            case KeyKind::any_map:
                expect(value, Kind::object, key.name);
                return;
            case KeyKind::grants:
                return grants(value, key);
            case KeyKind::seeds:
                return seeds(value, key);
        }
    }

    void string(const Value& value, const Key& key) {
        if (!expect(value, Kind::string, key.name) || key.one_of.empty()) return;
        if (std::find(key.one_of.begin(), key.one_of.end(), value.text) != key.one_of.end()) return;
        const std::string near = diag::nearest(
            value.text, std::vector<std::string>(key.one_of.begin(), key.one_of.end()));
        findings_.error(
            "UNKNOWN_VALUE", value.path,
            json_string(key.name) + " cannot be " + json_string(value.text) + ".",
            near.empty() ? "it is one of " + joined(key.one_of) : "did you mean \"" + near + "\"?");
    }

    void identifier(const Value& value, const Key& key) {
        if (!expect(value, Kind::string, key.name) || is_identifier(value.text)) return;
        findings_.error(
            "BAD_NAME", value.path, json_string(value.text) + " cannot be a name.",
            "begin with a lower-case letter and go on with lower-case letters, digits and _; "
            "at most 48 in all");
    }

    void count(const Value& value, const Key& key) {
        if (!expect(value, Kind::number, key.name)) return;
        if (value.text.size() <= 9 &&
            value.text.find_first_not_of("0123456789") == std::string::npos) {
            return;
        }
        findings_.error("WRONG_TYPE", value.path,
                        json_string(key.name) + " must be a whole number from 0, but this is " +
                            value.text + ".");
    }

    void strings(const Value& value, const Key& key) {
        if (!value.is(Kind::array)) {
            return wrong_type(value, key.name,
                              key.kind == KeyKind::string_or_strings
                                  ? "a string or a list of strings"
                                  : "a list of strings");
        }
        for (const Value& item : value.items) string(item, key);
    }

    void map(const Value& value, const Key& key) {
        if (!expect(value, Kind::object, key.name)) return;
        for (const Member& member : value.members) {
            if (!is_identifier(member.name)) {
                findings_.error(
                    "BAD_NAME", member.value.path, json_string(member.name) + " cannot be a name.",
                    "begin with a lower-case letter and go on with lower-case letters, digits "
                    "and _; at most 48 in all");
            }
            object(member.value, *key.shape, member.name);
        }
    }

    void lists_map(const Value& value, const Key& key) {
        if (!expect(value, Kind::object, key.name)) return;
        for (const Member& member : value.members) {
            if (!expect(member.value, Kind::array, member.name)) continue;
            for (const Value& item : member.value.items) {
                object(item, *key.shape, key.shape->noun);
            }
        }
    }

    void grants(const Value& value, const Key& key) {
        if (value.is(Kind::string)) return;
        if (value.is(Kind::object)) return object(value, *key.shape, key.name);
        if (!value.is(Kind::array)) {
            return wrong_type(value, key.name, "a principal or a list of principals and grants");
        }
        for (const Value& item : value.items) {
            if (!item.is(Kind::string)) object(item, *key.shape, "grant");
        }
    }

    void seeds(const Value& value, const Key& key) {
        if (value.is(Kind::string) && value.text == "UNCHANGED") return;
        if (!value.is(Kind::object)) {
            return wrong_type(value, key.name, "an object of lists of rows, or \"UNCHANGED\"");
        }
        for (const Member& member : value.members) {
            if (!expect(member.value, Kind::array, member.name)) continue;
            for (const Value& row : member.value.items) expect(row, Kind::object, "row");
        }
    }

    diag::Findings& findings_;
};

}  // namespace

bool is_identifier(std::string_view name) {
    const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
    if (name.empty() || name.size() > kMaxIdentifier || !lower(name.front())) return false;
    return std::all_of(name.begin(), name.end(),
                       [&](char c) { return lower(c) || c == '_' || (c >= '0' && c <= '9'); });
}

void check_shape(const Value& object, const Shape& shape, diag::Findings& findings) {
    Checker(findings).object(object, shape, "");
}

}  // namespace svc::contract
