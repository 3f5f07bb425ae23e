// Every type of field has its words: a new one fails here until they are said. docs/design/types.md
// lists what else it needs.
#include <gtest/gtest.h>

#include "emit/openapi/openapi_values.hpp"
#include "model/values.hpp"

namespace svc::emit {
namespace {

using model::FieldType;

struct TypeCase {
    FieldType type;
    const char* schema;  // of a value of it in an answer
};

// A sequence is a text that the app makes; an enum's values are listed by their own.
constexpr TypeCase kTypeCases[] = {
    {FieldType::string, R"({"type":"string"})"},
    {FieldType::text, R"({"type":"string"})"},
    {FieldType::email, R"({"type":"string","format":"email"})"},
    {FieldType::url, R"({"type":"string","format":"uri"})"},
    {FieldType::phone, R"({"type":"string"})"},
    {FieldType::slug, R"({"type":"string"})"},
    {FieldType::integer, R"({"type":"integer","format":"int64"})"},
    {FieldType::number, R"({"type":"number"})"},
    {FieldType::decimal, R"({"type":"number"})"},
    {FieldType::float_, R"({"type":"number","format":"double"})"},
    {FieldType::money, R"({"type":"integer","format":"int64","x-svc-currency":"EUR"})"},
    {FieldType::boolean, R"({"type":"boolean"})"},
    {FieldType::date, R"({"type":"string","format":"date"})"},
    {FieldType::time, R"({"type":"string","format":"time-local"})"},
    {FieldType::datetime, R"({"type":"string","format":"date-time"})"},
    {FieldType::enum_, R"({"type":"string"})"},
    {FieldType::tags, R"({"type":"array","items":{"type":"string"}})"},
    {FieldType::json, R"({})"},
    {FieldType::uuid, R"({"type":"string","format":"uuid"})"},
    {FieldType::ref, R"({"type":"string","format":"uuid"})"},
    {FieldType::user, R"({"type":"string","format":"uuid"})"},
    {FieldType::file, R"({"type":"string","format":"uuid"})"},
    {FieldType::sequence, R"({"type":"string"})"},
};
static_assert(std::size(kTypeCases) == static_cast<std::size_t>(FieldType::sequence) + 1);

TEST(Types, EachHasAWordAndASchema) {
    for (std::size_t i = 0; i < std::size(kTypeCases); ++i) {
        const FieldType type = kTypeCases[i].type;
        EXPECT_EQ(static_cast<std::size_t>(type), i) << "in the order of the enumerators";
        const std::string word(base::word(type));
        EXPECT_EQ(base::read_word<model::FieldType>(word), type) << word;
        plan::Facts facts;
        facts.type = type;
        facts.nullable = false;
        EXPECT_EQ(value_schema(facts, "EUR", false), Json::parse(kTypeCases[i].schema)) << word;
    }
}

}  // namespace
}  // namespace svc::emit
