#include "model/service/json_schema.hpp"

#include <algorithm>
#include <string_view>

#include "model/names.hpp"

namespace svc::model {
namespace {

using contract::Value;
using Kind = Value::Kind;

constexpr std::string_view kTypes[] = {"object",  "array",   "string", "number",
                                       "integer", "boolean", "null"};

enum class Form { schema, schemas, schema_list, type, texts, text, list, number, count, flag, any };

struct Keyword {
    std::string_view name;
    Form form;
};

constexpr Keyword kKeywords[] = {
    {"type", Form::type},
    {"properties", Form::schemas},
    {"required", Form::texts},
    {"items", Form::schema},
    {"additionalProperties", Form::schema},
    {"enum", Form::list},
    {"const", Form::any},
    {"allOf", Form::schema_list},
    {"anyOf", Form::schema_list},
    {"oneOf", Form::schema_list},
    {"not", Form::schema},
    {"minimum", Form::number},
    {"maximum", Form::number},
    {"exclusiveMinimum", Form::number},
    {"exclusiveMaximum", Form::number},
    {"multipleOf", Form::number},
    {"minLength", Form::count},
    {"maxLength", Form::count},
    {"minItems", Form::count},
    {"maxItems", Form::count},
    {"minProperties", Form::count},
    {"maxProperties", Form::count},
    {"uniqueItems", Form::flag},
    {"pattern", Form::text},
    {"format", Form::text},
    {"title", Form::text},
    {"description", Form::text},
};

// They say something to people and tools, and refuse nothing.
constexpr std::string_view kNotes[] = {"default",   "examples", "deprecated", "readOnly",
                                       "writeOnly", "$comment", "$schema",    "$id"};

const Keyword* find_keyword(std::string_view name) {
    const auto* const found = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                                           [name](const Keyword& one) { return one.name == name; });
    return found == std::end(kKeywords) ? nullptr : found;
}

bool is_note(std::string_view name) {
    return name.starts_with("x-") ||
           std::find(std::begin(kNotes), std::end(kNotes), name) != std::end(kNotes);
}

bool is_type(const Value& value) {
    return value.is(Kind::string) &&
           std::find(std::begin(kTypes), std::end(kTypes), value.text) != std::end(kTypes);
}

bool all_are(const Value& list, Kind kind) {
    return list.is(Kind::array) && std::all_of(list.items.begin(), list.items.end(),
                                               [&](const Value& item) { return item.is(kind); });
}

class SchemaCheck {
  public:
    explicit SchemaCheck(diag::Findings& findings) : findings_(findings) {}

    void schema(const Value& value) {
        if (value.is(Kind::boolean)) return;
        if (!value.is(Kind::object)) return bad(value, "a schema must be an object, true or false");
        for (const contract::Member& member : value.members) keyword(member);
    }

    void root(const Value& value) {
        if (const Value* type = value.find("type"); type != nullptr && is_type(*type)) {
            if (type->text != "object") bad(*type, "the properties of an action must be an object");
        }
        const Value* required = value.find("required");
        const Value* properties = value.find("properties");
        if (required == nullptr) return;
        for (const Value& name : required->items) {
            const bool declared = properties != nullptr && properties->find(name.text) != nullptr;
            if (name.is(Kind::string) && !declared) {
                bad(name, "\"properties\" does not declare this property");
            }
        }
    }

  private:
    void bad(const Value& value, const std::string& problem) {
        findings_.error("BAD_SCHEMA", value.path, "This JSON Schema is not valid: " + problem + ".",
                        "see json-schema.org for its keywords");
    }

    void expect(bool sound, const Value& value, std::string_view wanted) {
        if (!sound) bad(value, "this must be " + std::string(wanted));
    }

    // json/schema.cpp of the runtime applies the keywords above and no others.
    void ignored(const contract::Member& member) {
        std::vector<std::string> known;
        for (const Keyword& keyword : kKeywords) known.emplace_back(keyword.name);
        findings_.warning("SCHEMA_IGNORED", member.value.path,
                          "svc does not apply \"" + member.name +
                              "\": a value that it would refuse is let through.",
                          did_you_mean(member.name, known,
                                       "use keywords that svc applies, or let the service that is "
                                       "called refuse such a value"));
    }

    void keyword(const contract::Member& member) {
        const Value& value = member.value;
        const Keyword* const known = find_keyword(member.name);
        if (known == nullptr && !is_note(member.name)) return ignored(member);
        switch (known == nullptr ? Form::any : known->form) {
            case Form::schema:
                return schema(value);
            case Form::schemas:
                expect(value.is(Kind::object), value, "an object of schemas");
                for (const contract::Member& inner : value.members) schema(inner.value);
                return;
            case Form::schema_list:
                expect(value.is(Kind::array) && !value.items.empty(), value, "a list of schemas");
                for (const Value& inner : value.items) schema(inner);
                return;
            case Form::type:
                return type(value);
            case Form::texts:
                return expect(all_are(value, Kind::string), value, "a list of strings");
            case Form::text:
                return expect(value.is(Kind::string), value, "a string");
            case Form::list:
                return expect(value.is(Kind::array) && !value.items.empty(), value,
                              "a list of values");
            case Form::number:
                return expect(value.is(Kind::number), value, "a number");
            case Form::count:
                return expect(value.is(Kind::number) &&
                                  value.text.find_first_not_of("0123456789") == std::string::npos,
                              value, "a whole number from 0");
            case Form::flag:
                return expect(value.is(Kind::boolean), value, "true or false");
            case Form::any:
                return;
        }
    }

    void type(const Value& value) {
        const bool several = value.is(Kind::array) && !value.items.empty() &&
                             std::all_of(value.items.begin(), value.items.end(), is_type);
        expect(several || is_type(value), value,
               "object, array, string, number, integer, boolean, null, or a list of these");
    }

    diag::Findings& findings_;
};

ExprType prop_type(const Value& schema) {
    const Value* type = schema.find("type");
    if (type == nullptr) return ExprType::json;
    if (type->text == "string") return ExprType::text;
    if (type->text == "integer") return ExprType::integer;
    if (type->text == "number") return ExprType::decimal;
    if (type->text == "boolean") return ExprType::boolean;
    return ExprType::json;
}

}  // namespace

void check_json_schema(const Value& schema, diag::Findings& findings) {
    SchemaCheck check(findings);
    check.schema(schema);
    check.root(schema);
}

std::vector<ActionProp> declared_props(const Value& schema) {
    std::vector<ActionProp> out;
    const Value* properties = schema.find("properties");
    if (properties == nullptr) return out;
    const Value* required = schema.find("required");
    for (const contract::Member& member : properties->members) {
        const bool needed =
            required != nullptr &&
            std::any_of(required->items.begin(), required->items.end(),
                        [&](const Value& name) { return name.text == member.name; });
        out.push_back({member.name, prop_type(member.value), needed});
    }
    return out;
}

bool is_closed(const Value& schema) {
    const Value* more = schema.find("additionalProperties");
    return more != nullptr && more->is(Kind::boolean) && more->text == "false";
}

}  // namespace svc::model
