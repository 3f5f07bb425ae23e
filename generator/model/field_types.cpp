#include <algorithm>
#include <array>
#include <utility>

#include "model/values.hpp"

namespace svc::model {
namespace {

// contract/keys_entity.cpp lists the same names. docs/ARCHITECTURE.md says what else a type needs.
constexpr std::pair<std::string_view, FieldType> kWords[] = {
    {"string", FieldType::string},     {"text", FieldType::text},
    {"email", FieldType::email},       {"url", FieldType::url},
    {"phone", FieldType::phone},       {"slug", FieldType::slug},
    {"integer", FieldType::integer},   {"number", FieldType::number},
    {"decimal", FieldType::decimal},   {"float", FieldType::float_},
    {"money", FieldType::money},       {"boolean", FieldType::boolean},
    {"date", FieldType::date},         {"time", FieldType::time},
    {"datetime", FieldType::datetime}, {"enum", FieldType::enum_},
    {"tags", FieldType::tags},         {"json", FieldType::json},
    {"uuid", FieldType::uuid},         {"ref", FieldType::ref},
    {"user", FieldType::user},         {"file", FieldType::file},
    {"sequence", FieldType::sequence},
};

}  // namespace

std::string_view type_word(FieldType type) {
    const auto at = std::find_if(std::begin(kWords), std::end(kWords),
                                 [type](const auto& each) { return each.second == type; });
    return at->first;
}

FieldType field_type(std::string_view word) {
    const auto at = std::find_if(std::begin(kWords), std::end(kWords),
                                 [word](const auto& each) { return each.first == word; });
    return at == std::end(kWords) ? FieldType::text : at->second;
}

}  // namespace svc::model
