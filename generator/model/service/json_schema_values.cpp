#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/json_type.hpp"
#include "model/names.hpp"
#include "model/service/json_schema.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using contract::Value;
using Kind = Value::Kind;

bool is_literal_value(const Value& value) {
    return !value.is(Kind::string) || value.text.find_first_of("{}") == std::string::npos;
}

bool is_same(const Value& a, const Value& b) {
    if (a.is(Kind::number) && b.is(Kind::number)) {
        return base::json_number(a) == base::json_number(b);
    }
    return contract::json_text(a) == contract::json_text(b);
}

class LiteralCheck {
  public:
    explicit LiteralCheck(diag::Findings& findings) : findings_(findings) {}

    void members(const Value& given, const Value& schema, bool root) {
        const Value* properties = schema.find("properties");
        for (const contract::Member& member : given.members) {
            const Value* known = properties == nullptr ? nullptr : properties->find(member.name);
            if (known != nullptr) {
                value(member.value, *known, member.name, root);
            } else if (!root && is_closed(schema)) {
                bad(member.value, member.name, "is not a property of this action");
            }
        }
        const Value* required = schema.find("required");
        if (root || required == nullptr) return;
        for (const Value& name : required->items) {
            if (given.find(name.text) == nullptr) bad(given, name.text, "is missing");
        }
    }

  private:
    void bad(const Value& value, const std::string& name, const std::string& problem) {
        findings_.error("BAD_VALUE", value.path, "\"" + name + "\" " + problem + ".",
                        problem == "is missing"
                            ? "add \"" + name + "\""
                            : "write a value that the schema of the action allows");
    }

    void value(const Value& given, const Value& schema, const std::string& name, bool declared) {
        if (!is_literal_value(given) || !schema.is(Kind::object)) return;
        std::string problem = type_problem(given, schema, declared);
        if (problem.empty()) problem = choice_problem(given, schema);
        if (problem.empty()) problem = limit_problem(given, schema);
        if (!problem.empty()) return bad(given, name, problem);
        if (given.is(Kind::object)) return members(given, schema, false);
        const Value* items = schema.find("items");
        if (items == nullptr) return;
        for (const Value& item : given.items) value(item, *items, name, false);
    }

    static std::string type_problem(const Value& given, const Value& schema, bool declared) {
        const Value* type = schema.find("type");
        if (type == nullptr) return {};
        std::vector<std::string> types;
        for (const Value& one : type->items) types.push_back(one.text);
        if (types.empty()) types.push_back(type->text);
        const bool plain = types.size() == 1 && types[0] != "object" && types[0] != "array";
        if (declared && (plain || given.is(Kind::null))) return {};
        const bool fits = std::any_of(types.begin(), types.end(), [&](const std::string& one) {
            return base::is_json_type(given, one);
        });
        return fits ? "" : "must be of type " + joined(types);
    }

    // A text with placeholders within may become any of them.
    static std::string choice_problem(const Value& given, const Value& schema) {
        if (given.is(Kind::array) || given.is(Kind::object)) return {};
        const Value* choices = schema.find("enum");
        const Value* only = schema.find("const");
        if (only != nullptr && !is_same(*only, given)) {
            return "must be " + contract::json_text(*only);
        }
        if (choices == nullptr) return {};
        std::vector<std::string> known;
        for (const Value& choice : choices->items) {
            if (is_same(choice, given)) return {};
            known.push_back(contract::json_text(choice));
        }
        return "must be one of " + joined(known);
    }

    struct Limit {
        const char* name;
        bool least;  // else the greatest
        bool beyond = false;
    };

    static std::string broken(const Value& schema, double size, const Limit& limit) {
        const Value* bound = schema.find(limit.name);
        if (bound == nullptr || !bound->is(Kind::number)) return {};
        const double wanted = std::strtod(bound->text.c_str(), nullptr);
        const bool holds = limit.least ? size > wanted : size < wanted;
        if (holds || (!limit.beyond && size == wanted)) return {};
        return std::string("breaks \"") + limit.name + "\": " + bound->text;
    }

    static std::string limit_problem(const Value& given, const Value& schema) {
        std::vector<Limit> limits;
        double size = 0;
        if (given.is(Kind::number)) {
            size = std::strtod(given.text.c_str(), nullptr);
            limits = {{"minimum", true},
                      {"maximum", false},
                      {"exclusiveMinimum", true, true},
                      {"exclusiveMaximum", false, true}};
        } else if (given.is(Kind::string)) {
            size = static_cast<double>(length(given.text));
            limits = {{"minLength", true}, {"maxLength", false}};
        } else if (given.is(Kind::array)) {
            size = static_cast<double>(given.items.size());
            limits = {{"minItems", true}, {"maxItems", false}};
        }
        for (const Limit& limit : limits) {
            if (std::string out = broken(schema, size, limit); !out.empty()) return out;
        }
        return {};
    }

    diag::Findings& findings_;
};

}  // namespace

void check_literals(const Value& props, const std::string& schema, diag::Findings& findings) {
    if (schema.empty()) return;
    diag::Findings schema_findings;  // of the schema itself: it stood in the contract's own text
    const std::optional<Value> read = contract::read_json(schema, schema_findings);
    if (read) LiteralCheck(findings).members(props, *read, true);
}

}  // namespace svc::model
