#include "contract/keys/schema.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace svc::contract {
namespace {

using Json = nlohmann::ordered_json;

Json refer(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
Json map_of(Json values) {
    return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}
Json either(std::initializer_list<Json> choices) { return {{"anyOf", Json(choices)}}; }
Json text(const char* what) { return {{"description", what}, {"type", "string"}}; }

Json pattern(const char* what, const char* expression) {
    Json out = text(what);
    out["pattern"] = expression;
    return out;
}

// The kinds of texts that have rules of their own, by the name under which they are referred to.
Json texts() {
    Json out = Json::object();
    out["name"] =
        pattern("a name: a lower-case letter, then lower-case letters, digits and _; at most 48",
                "^[a-z][a-z0-9_]{0,47}$");
    out["component_name"] = pattern("a capital letter, then letters and digits; at most 48",
                                    "^[A-Z][A-Za-z0-9]{0,47}$");
    out["secret"] = pattern("the name of a secret of the project", "^secret:[A-Za-z0-9_]{1,100}$");
    out["expression"] = text("an expression: user_id == user.id && status == 'draft'");
    out["template"] = text("a string with {expression} placeholders");
    out["duration"] = pattern("a whole number and s, m, h or d: 15m", "^[0-9]{1,6}[smhd]$");
    out["size"] = pattern("a whole number and KB, MB or GB: 25MB", "^[0-9]+(KB|MB|GB)$");
    return out;
}

// Every shape becomes one definition, so that those that hold themselves end somewhere.
class Writer {
  public:
    Json schema(const Shape& root) {
        Json out = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", "svc.json"},
                    {"description", "The contract of an app, as svc reads it."}};
        out.update(object(root));
        Json definitions = texts();
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            const Shape& shape = *shapes_[i].first;
            const std::string name = shapes_[i].second;
            definitions[name] = object(shape);
        }
        out["$defs"] = std::move(definitions);
        return out;
    }

  private:
    Json object(const Shape& shape) {
        Json out = {{"type", "object"}, {"properties", Json::object()}};
        Json required = Json::array();
        for (const Key& key : shape.keys) {
            out["properties"][std::string(key.name)] = described(key);
            if (key.required) required.push_back(key.name);
        }
        if (!required.empty()) out["required"] = std::move(required);
        out["additionalProperties"] = false;
        for (const Demand& demand : shape.demands) {
            const std::string key(demand.key);
            out["allOf"].push_back(
                {{"if", {{"properties", {{key, {{"const", demand.value}}}}}, {"required", {key}}}},
                 {"then", has(demand.needs)}});
        }
        for (const std::string_view name : shape.one_key_of) out["oneOf"].push_back(has(name));
        for (const Key& key : shape.keys) {
            for (const std::string_view name : key.beside) {
                out["dependentSchemas"][std::string(key.name)]["anyOf"].push_back(has(name));
            }
        }
        return out;
    }

    static Json has(std::string_view name) { return {{"required", Json::array({name})}}; }

    Json described(const Key& key) {
        Json out = {{"description", std::string(key.what)}};
        out.update(value(key));
        return out;
    }

    Json value(const Key& key) {
        switch (key.kind) {
            case KeyKind::any:
            case KeyKind::value:
                return Json::object();
            case KeyKind::string:
                return string(key);
            case KeyKind::identifier:
                return refer("name");
            case KeyKind::identifiers:
                return list_of(refer("name"));
            case KeyKind::pascal_name:
                return refer("component_name");
            case KeyKind::secret:
                return refer("secret");
            case KeyKind::expression:
                return refer("expression");
            case KeyKind::template_:
                return refer("template");
            case KeyKind::duration:
                return refer("duration");
            case KeyKind::size:
                return refer("size");
            case KeyKind::flag:
                return {{"type", "boolean"}};
            case KeyKind::number:
                return {{"type", "number"}};
            case KeyKind::count:
                return count();
            case KeyKind::counts:
                return list_of(count());
            case KeyKind::strings:
                return list_of(string(key));
            case KeyKind::string_or_strings:
                return either({string(key), list_of(string(key))});
            case KeyKind::string_lists:
                return list_of(list_of(string(key)));
            case KeyKind::object:
                return shaped(key);
            case KeyKind::objects:
                return list_of(shaped(key));
            case KeyKind::object_map: {
                Json out = map_of(shaped(key));
                out["propertyNames"] = refer("name");
                return out;
            }
            case KeyKind::objects_map:
                return map_of(list_of(shaped(key)));
            case KeyKind::object_or_false:
                return either({{{"const", false}}, shaped(key)});
            case KeyKind::object_or_flag:
                return either({{{"type", "boolean"}}, shaped(key)});
            case KeyKind::expression_or_object:
                return either({refer("expression"), shaped(key)});
            case KeyKind::expression_map:
                return map_of(refer("expression"));
            case KeyKind::template_map:
                return map_of(refer("template"));
            case KeyKind::value_map:
            case KeyKind::any_map:
                return {{"type", "object"}};
            case KeyKind::templates:
                return either({refer("template"), list_of(refer("template"))});
            case KeyKind::grants: {
                const Json one = either({{{"type", "string"}}, shaped(key)});
                return either({{{"type", "string"}}, shaped(key), list_of(one)});
            }
            case KeyKind::seeds:
                return seeds(key);
        }
        return Json::object();
    }

    static Json count() { return {{"type", "integer"}, {"minimum", 0}, {"maximum", 999'999'999}}; }

    static Json string(const Key& key) {
        Json out = {{"type", "string"}};
        for (const std::string_view word : key.one_of) out["enum"].push_back(word);
        return out;
    }

    Json seeds(const Key& key) {
        Json lists = map_of(list_of({{"type", "object"}}));
        lists["properties"]["@users"] = list_of(shaped(key));
        return either({{{"const", "UNCHANGED"}}, std::move(lists)});
    }

    Json shaped(const Key& key) { return refer(name_of_shape(*key.shape)); }

    // Its noun, with a number where several shapes have the same.
    std::string name_of_shape(const Shape& shape) {
        std::string base(shape.noun);
        for (char& c : base) c = c == ' ' ? '_' : c;
        int same = texts().contains(base) ? 2 : 1;
        for (const auto& [known, name] : shapes_) {
            if (known == &shape) return name;
            if (known->noun == shape.noun) ++same;
        }
        shapes_.emplace_back(&shape, same == 1 ? base : base + "_" + std::to_string(same));
        return shapes_.back().second;
    }

    std::vector<std::pair<const Shape*, std::string>> shapes_;
};

}  // namespace

std::string json_schema(const Shape& root) { return Writer().schema(root).dump(2) + "\n"; }

}  // namespace svc::contract
