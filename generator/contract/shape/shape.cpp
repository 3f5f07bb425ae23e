#include "contract/shape/shape.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "contract/shape/shape_keep.hpp"
#include "contract/shape/shape_leaves.hpp"
#include "contract/shape/shape_report.hpp"
#include "contract/shape/shape_together.hpp"

namespace svc::contract {
namespace {

using Kind = Value::Kind;

// Every method returns whether the value can be used.
class Checker {
  public:
    explicit Checker(diag::Findings& findings)
        : report_(findings), leaves_(findings), keeper_(findings) {}

    bool object(Value& value, const Shape& shape, std::string_view name) {
        if (!leaves_.expect(value, Kind::object, name)) return false;
        std::vector<std::string> reported;  // keys that a finding speaks of already
        keeper_.keep_members(value, [&](Member& member) {
            const Key* key = shape.find(member.name);
            const bool sound = key != nullptr && this->member(member.value, *key);
            if (!sound) {
                reported.push_back(key != nullptr ? member.name
                                                  : report_.unknown_key(member, shape));
            }
            return sound;
        });
        return ShapeTogether(report_, keeper_, reported).sound(value, shape);
    }

  private:
    bool member(Value& value, const Key& key) { return this->value(value, key); }

    bool value(Value& value, const Key& key) {
        switch (key.kind) {
            case KeyKind::any:
                return true;
            case KeyKind::string:
            case KeyKind::expression:
            case KeyKind::template_:
            case KeyKind::size:
                return leaves_.string(value, key);
            case KeyKind::identifier:
                return leaves_.identifier(value, key);
            case KeyKind::identifiers:
                return identifiers(value, key);
            case KeyKind::pascal_name:
                return leaves_.pascal_name(value, key);
            case KeyKind::secret:
                return leaves_.secret(value, key);
            case KeyKind::flag:
                return leaves_.expect(value, Kind::boolean, key.name);
            case KeyKind::number:
                return leaves_.expect(value, Kind::number, key.name);
            case KeyKind::count:
                return leaves_.count(value, key);
            case KeyKind::counts:
                return counts(value, key);
            case KeyKind::strings:
                return strings(value, key);
            case KeyKind::string_or_strings:
                return value.is(Kind::string) ? leaves_.string(value, key) : strings(value, key);
            case KeyKind::string_lists:
                return string_lists(value, key);
            case KeyKind::object:
                return object(value, *key.shape, key.name);
            case KeyKind::objects:
                return objects(value, key, key.name);
            case KeyKind::object_map:
                return map(value, key);
            case KeyKind::objects_map:
                return objects_map(value, key);
            case KeyKind::object_or_false:
                if (value.is(Kind::boolean) && value.text == "false") return true;
                return object_or(value, key, "an object or false");
            case KeyKind::object_or_flag:
                return value.is(Kind::boolean) || object_or(value, key, "true, false or an object");
            case KeyKind::expression_or_object:
                return value.is(Kind::string) ||
                       object_or(value, key, "an expression or an object");
            case KeyKind::expression_map:
            case KeyKind::template_map:
                return texts_map(value, key);
            case KeyKind::duration:
                return leaves_.duration(value, key);
            case KeyKind::templates:
                return value.is(Kind::string) || strings(value, key);
            case KeyKind::value:
                return true;
            case KeyKind::value_map:
            case KeyKind::any_map:
                return leaves_.expect(value, Kind::object, key.name);
            case KeyKind::grants:
                return grants(value, key);
            case KeyKind::seeds:
                return seeds(value, key);
        }
        return false;
    }

    bool objects_map(Value& value, const Key& key) {
        if (!leaves_.expect(value, Kind::object, key.name)) return false;
        keeper_.keep_members(
            value, [&](Member& member) { return objects(member.value, key, member.name); });
        return true;
    }

    bool texts_map(Value& value, const Key& key) {
        if (!leaves_.expect(value, Kind::object, key.name)) return false;
        keeper_.keep_members(value, [&](Member& member) { return text_of_map(member, key); });
        return true;
    }

    bool identifiers(Value& value, const Key& key) {
        if (!value.is(Kind::array)) {
            report_.wrong_type(value, key.name, "a list of names");
            return false;
        }
        keeper_.keep_items(value, [&](Value& item) { return leaves_.identifier(item, key); });
        return true;
    }

    bool counts(Value& value, const Key& key) {
        if (!value.is(Kind::array)) {
            report_.wrong_type(value, key.name, "a list of whole numbers",
                               value.is(Kind::number) ? "write [" + value.text + "]" : "");
            return false;
        }
        keeper_.keep_items(value, [&](Value& item) { return leaves_.count(item, key); });
        return true;
    }

    bool text_of_map(const Member& member, const Key& key) {
        if (key.kind == KeyKind::template_map)
            return leaves_.expect(member.value, Kind::string, member.name);
        if (!member.value.is(Kind::string)) report_.no_expression(member.value, member.name);
        return member.value.is(Kind::string);
    }

    bool strings(Value& value, const Key& key) {
        if (!value.is(Kind::array)) {
            report_.no_list(value, key.name,
                            key.kind == KeyKind::string_or_strings || key.kind == KeyKind::templates
                                ? "a string or a list of strings"
                                : "a list of strings");
            return false;
        }
        keeper_.keep_items(value, [&](Value& item) { return leaves_.string(item, key); });
        return true;
    }

    bool string_lists(Value& value, const Key& key) {
        if (!leaves_.expect(value, Kind::array, key.name)) return false;
        const auto is_text = [](const Value& item) { return item.is(Kind::string); };
        if (!value.items.empty() && std::ranges::all_of(value.items, is_text)) {
            report_.list_of_one(value, key.name);
            return false;
        }
        keeper_.keep_items(value, [&](Value& item) { return strings(item, key); });
        return true;
    }

    bool objects(Value& value, const Key& key, std::string_view name) {
        if (!leaves_.expect(value, Kind::array, name)) return false;
        keeper_.keep_items(value,
                           [&](Value& item) { return object(item, *key.shape, key.shape->noun); });
        return true;
    }

    bool object_or(Value& value, const Key& key, std::string_view wanted) {
        if (value.is(Kind::object)) return object(value, *key.shape, key.name);
        report_.wrong_type(value, key.name, wanted);
        return false;
    }

    bool map(Value& value, const Key& key) {
        if (!leaves_.expect(value, Kind::object, key.name)) return false;
        keeper_.keep_members(value, [&](Member& member) {
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
        keeper_.keep_items(value, [&](Value& item) {
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
        keeper_.keep_members(value, [&](Member& member) {
            if (member.name == "@users") return objects(member.value, key, member.name);
            if (!leaves_.expect(member.value, Kind::array, member.name)) return false;
            keeper_.keep_items(
                member.value, [&](Value& row) { return leaves_.expect(row, Kind::object, "row"); });
            return true;
        });
        return true;
    }

    ShapeReport report_;
    ShapeLeaves leaves_;
    ShapeKeeper keeper_;
};

}  // namespace

bool check_shape(Value& object, const Shape& shape, diag::Findings& findings) {
    return Checker(findings).object(object, shape, "");
}

}  // namespace svc::contract
