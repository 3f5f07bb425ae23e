#include "contract/shape.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "contract/shape_report.hpp"

namespace svc::contract {
namespace {

using Kind = Value::Kind;

constexpr std::size_t kMaxIdentifier = 48;
constexpr std::size_t kMaxSecretName = 100;

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

template <typename Range, typename Item>
bool contains(const Range& range, const Item& item) {
    return std::find(std::begin(range), std::end(range), item) != std::end(range);
}

bool is_empty(const Value& value) {
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

// Every one of its methods tells whether the value is of use as what it should be.
class Checker {
  public:
    explicit Checker(diag::Findings& findings) : findings_(findings), report_(findings) {}

    bool object(Value& value, const Shape& shape, std::string_view name) {
        if (!expect(value, Kind::object, name)) return false;
        std::vector<std::string> reported;  // keys that a finding speaks of already
        keep_members(value, [&](Member& member) {
            const Key* key = shape.find(member.name);
            const bool sound = key != nullptr && this->member(member.value, *key);
            if (!sound) {
                reported.push_back(key != nullptr ? member.name
                                                  : report_.unknown_key(member, shape));
            }
            return sound;
        });
        const bool whole = has_required(value, shape, reported);
        return has_one_key(value, shape, reported) && whole && stand_right(value, shape, reported);
    }

  private:
    bool has_required(const Value& value, const Shape& shape,
                      const std::vector<std::string>& reported) {
        bool whole = true;
        for (const Key& key : shape.keys) {
            if (!key.required || value.find(key.name) != nullptr) continue;
            whole = false;
            if (!contains(reported, key.name)) report_.missing_key(value, shape, key);
        }
        return whole;
    }

    bool has_one_key(Value& value, const Shape& shape, const std::vector<std::string>& reported) {
        if (shape.one_key_of.empty()) return true;
        const auto is_choice = [&](const std::string& name) {
            return contains(shape.one_key_of, name);
        };
        std::string first;
        keep_members(value, [&](Member& member) {
            if (!is_choice(member.name)) return true;
            if (!first.empty()) report_.two_of_one(*find_member(value, first), member, shape);
            const bool keep = first.empty();
            if (keep) first = member.name;
            return keep;
        });
        if (!first.empty()) return true;
        if (!std::any_of(reported.begin(), reported.end(), is_choice)) {
            report_.none_of_one(value, shape);
        }
        return false;
    }

    bool stand_right(const Value& value, const Shape& shape,
                     const std::vector<std::string>& reported) {
        bool right = true;
        for (const Member& member : value.members) {
            const auto& beside = shape.find(member.name)->beside;
            const bool met = std::any_of(beside.begin(), beside.end(), [&](std::string_view name) {
                return value.find(name) != nullptr || contains(reported, name);
            });
            if (beside.empty() || met) continue;
            report_.alone(member, beside);
            right = false;
        }
        return right;
    }

    static const Member* find_member(const Value& value, const std::string& name) {
        for (const Member& member : value.members) {
            if (member.name == name) return &member;
        }
        return nullptr;
    }

    bool expect(const Value& value, Kind kind, std::string_view name) {
        if (!value.is(kind)) report_.wrong_type(value, name, kind);
        return value.is(kind);
    }

    bool member(Value& value, const Key& key) {
        if (!key.runs && !is_empty(value)) report_.not_running(value, key);
        return this->value(value, key);
    }

    bool value(Value& value, const Key& key) {
        switch (key.kind) {
            case KeyKind::any:
                return true;
            case KeyKind::string:
            case KeyKind::expression:
            case KeyKind::template_:
            case KeyKind::size:
                return string(value, key);
            case KeyKind::identifier:
                return identifier(value, key);
            case KeyKind::identifiers:
                return identifiers(value, key);
            case KeyKind::pascal_name:
                return pascal_name(value, key);
            case KeyKind::secret:
                return secret(value, key);
            case KeyKind::flag:
                return expect(value, Kind::boolean, key.name);
            case KeyKind::number:
                return expect(value, Kind::number, key.name);
            case KeyKind::count:
                return count(value, key);
            case KeyKind::strings:
                return strings(value, key);
            case KeyKind::string_or_strings:
                return value.is(Kind::string) ? string(value, key) : strings(value, key);
            case KeyKind::string_lists:
                if (!expect(value, Kind::array, key.name)) return false;
                keep_items(value, [&](Value& item) { return strings(item, key); });
                return true;
            case KeyKind::object:
                return object(value, *key.shape, key.name);
            case KeyKind::objects:
                return objects(value, key, key.name);
            case KeyKind::object_map:
                return map(value, key);
            case KeyKind::objects_map:
                if (!expect(value, Kind::object, key.name)) return false;
                keep_members(
                    value, [&](Member& member) { return objects(member.value, key, member.name); });
                return true;
            case KeyKind::object_or_false:
                if (value.is(Kind::boolean) && value.text == "false") return true;
                return object_or(value, key, "an object or false");
            case KeyKind::expression_or_object:
                return value.is(Kind::string) ||
                       object_or(value, key, "an expression or an object");
            case KeyKind::expression_map:
            case KeyKind::template_map:
                if (!expect(value, Kind::object, key.name)) return false;
                keep_members(value, [&](Member& member) {
                    return expect(member.value, Kind::string, member.name);
                });
                return true;
            case KeyKind::duration:
                return duration(value, key);
            case KeyKind::templates:
                return value.is(Kind::string) || strings(value, key);
            case KeyKind::value:
                return true;
            case KeyKind::value_map:
            case KeyKind::any_map:
                return expect(value, Kind::object, key.name);
            case KeyKind::grants:
                return grants(value, key);
            case KeyKind::seeds:
                return seeds(value, key);
        }
        return false;
    }

    bool string(const Value& value, const Key& key) {
        if (!expect(value, Kind::string, key.name)) return false;
        if (key.one_of.empty() || contains(key.one_of, value.text)) return true;
        report_.unknown_value(value, key);
        return false;
    }

    // A bad name is still the name that others use.
    bool identifier(const Value& value, const Key& key) {
        if (!expect(value, Kind::string, key.name)) return false;
        if (!is_identifier(value.text)) report_.bad_name(value.path, value.text);
        return true;
    }

    bool identifiers(Value& value, const Key& key) {
        if (!value.is(Kind::array)) {
            report_.wrong_type(value, key.name, "a list of names");
            return false;
        }
        keep_items(value, [&](Value& item) { return identifier(item, key); });
        return true;
    }

    bool pascal_name(const Value& value, const Key& key) {
        if (!expect(value, Kind::string, key.name)) return false;
        if (!is_pascal_name(value.text)) report_.bad_pascal_name(value);
        return true;
    }

    bool secret(const Value& value, const Key& key) {
        if (!expect(value, Kind::string, key.name)) return false;
        if (!is_secret(value.text)) report_.bad_secret(value, key);
        return is_secret(value.text);
    }

    bool duration(const Value& value, const Key& key) {
        if (!expect(value, Kind::string, key.name)) return false;
        const std::string& text = value.text;
        const bool sound = text.size() >= 2 && text.size() <= 7 &&
                           text.find_first_not_of("0123456789") == text.size() - 1 &&
                           std::string_view("smhd").find(text.back()) != std::string_view::npos;
        if (!sound) report_.bad_duration(value);
        return sound;
    }

    bool count(const Value& value, const Key& key) {
        if (!expect(value, Kind::number, key.name)) return false;
        const bool digits = value.text.find_first_not_of("0123456789") == std::string::npos;
        if (digits && value.text.size() <= 9) return true;
        findings_.error("WRONG_TYPE", value.path,
                        json_string(key.name) + " must be a whole number from 0, but this is " +
                            value.text + ".");
        return false;
    }

    bool strings(Value& value, const Key& key) {
        if (!value.is(Kind::array)) {
            report_.wrong_type(
                value, key.name,
                key.kind == KeyKind::string_or_strings || key.kind == KeyKind::templates
                    ? "a string or a list of strings"
                    : "a list of strings");
            return false;
        }
        keep_items(value, [&](Value& item) { return string(item, key); });
        return true;
    }

    bool objects(Value& value, const Key& key, std::string_view name) {
        if (!expect(value, Kind::array, name)) return false;
        keep_items(value, [&](Value& item) { return object(item, *key.shape, key.shape->noun); });
        return true;
    }

    bool object_or(Value& value, const Key& key, std::string_view wanted) {
        if (value.is(Kind::object)) return object(value, *key.shape, key.name);
        report_.wrong_type(value, key.name, wanted);
        return false;
    }

    bool map(Value& value, const Key& key) {
        if (!expect(value, Kind::object, key.name)) return false;
        keep_members(value, [&](Member& member) {
            if (!is_identifier(member.name)) report_.bad_name(member.value.path, member.name);
            return object(member.value, *key.shape, member.name);
        });
        return true;
    }

    bool grants(Value& value, const Key& key) {
        if (value.is(Kind::string)) return true;
        if (value.is(Kind::object)) return object(value, *key.shape, key.name);
        if (!value.is(Kind::array)) {
            report_.wrong_type(value, key.name, "a principal or a list of principals and grants");
            return false;
        }
        keep_items(value, [&](Value& item) {
            return item.is(Kind::string) || object(item, *key.shape, "grant");
        });
        return true;
    }

    bool seeds(Value& value, const Key& key) {
        if (value.is(Kind::string) && value.text == "UNCHANGED") return true;
        if (!value.is(Kind::object)) {
            report_.wrong_type(value, key.name, "an object of lists of rows, or \"UNCHANGED\"");
            return false;
        }
        keep_members(value, [&](Member& member) {
            if (!expect(member.value, Kind::array, member.name)) return false;
            keep_items(member.value, [&](Value& row) { return expect(row, Kind::object, "row"); });
            return true;
        });
        return true;
    }

    template <typename Sound>
    void keep_items(Value& list, const Sound& sound) {
        std::vector<Value> kept;
        for (Value& item : list.items) {
            if (sound(item)) {
                kept.push_back(std::move(item));
            } else {
                findings_.doubt(list.path);
                doubt(item);
                if (item.is(Kind::object) && !says_its_name(item)) doubt_any_name();
            }
        }
        list.items = std::move(kept);
    }

    // `sound` may look at the object: members stay where they are until all have been asked.
    template <typename Sound>
    void keep_members(Value& object, const Sound& sound) {
        std::vector<bool> keep;
        for (Member& member : object.members) {
            keep.push_back(sound(member));
            if (keep.back()) continue;
            findings_.doubt(member.name);
            doubt(member.value);
            if (holds_names(member)) doubt_any_name();
        }
        std::vector<Member> kept;
        for (std::size_t i = 0; i < keep.size(); ++i) {
            if (keep[i]) kept.push_back(std::move(object.members[i]));
        }
        object.members = std::move(kept);
    }

    static bool says_its_name(const Value& item) {
        return std::any_of(item.members.begin(), item.members.end(), [](const Member& member) {
            const bool names = member.name == "name" || member.name == "id";
            return names && member.value.is(Kind::string);
        });
    }

    // A whole list of things that have names, as something else.
    static bool holds_names(const Member& member) {
        static constexpr std::string_view kLists[] = {"personas",   "entities",  "fields",
                                                      "queries",    "functions", "workflows",
                                                      "components", "relations", "states"};
        const bool list = member.value.is(Kind::array) || member.value.is(Kind::object);
        return !list &&
               std::find(std::begin(kLists), std::end(kLists), member.name) != std::end(kLists);
    }

    void doubt_any_name() { findings_.doubt(diag::Findings::kAnyName); }

    void doubt(const Value& value) {
        findings_.doubt(value.path);
        if (value.is(Kind::string)) findings_.doubt(value.text);
        for (const Value& item : value.items) doubt(item);
        for (const Member& member : value.members) {
            findings_.doubt(member.name);
            doubt(member.value);
        }
    }

    diag::Findings& findings_;
    ShapeReport report_;
};

}  // namespace

bool is_identifier(std::string_view name) {
    const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
    if (name.empty() || name.size() > kMaxIdentifier || !lower(name.front())) return false;
    return std::all_of(name.begin(), name.end(),
                       [&](char c) { return lower(c) || c == '_' || (c >= '0' && c <= '9'); });
}

bool is_pascal_name(std::string_view name) {
    return !name.empty() && name.size() <= kMaxIdentifier && name.front() >= 'A' &&
           name.front() <= 'Z' && std::all_of(name.begin(), name.end(), is_letter_or_digit);
}

bool is_secret(std::string_view text) {
    if (!text.starts_with(kSecretPrefix)) return false;
    const std::string_view name = text.substr(kSecretPrefix.size());
    return !name.empty() && name.size() <= kMaxSecretName &&
           std::all_of(name.begin(), name.end(),
                       [](char c) { return c == '_' || is_letter_or_digit(c); });
}

bool check_shape(Value& object, const Shape& shape, diag::Findings& findings) {
    return Checker(findings).object(object, shape, "");
}

}  // namespace svc::contract
