// The plan numbers the parameters of writes, and the runtime derives from the columns what each of
// them is: both mean the same.
#include <gtest/gtest.h>

#include <map>

#include "pipeline.hpp"
#include "svc/columns.hpp"

namespace svc::emit {
namespace {

std::vector<Column> columns_of(const plan::ServedEntity& entity) {
    std::vector<Column> out;
    for (const plan::ServedColumn& column : entity.columns)
        out.push_back({.name = column.name,
                       .type = static_cast<Type>(column.type),
                       .writers = {column.creators, column.updaters},
                       .has_default = column.has_default});
    return out;
}

// The oid of a type that the plan names.
std::uint32_t oid_of(const std::string& sql) {
    static const std::map<std::string, Type> kTypes = {
        {"text", Type::text},       {"unknown", Type::key},
        {"bigint", Type::integer},  {"numeric", Type::decimal},
        {"boolean", Type::boolean}, {"date", Type::date},
        {"time", Type::time},       {"timestamptz", Type::timestamp},
        {"text[]", Type::tags},     {"jsonb", Type::json},
        {"uuid", Type::uuid},       {"double precision", Type::floating}};
    return oid(kTypes.at(sql));
}

void expect_same(const plan::ServedEntity& entity, const plan::Statement& statement,
                 std::size_t (*fill)(List<Column>, Bind*)) {
    const std::vector<Column> columns = columns_of(entity);
    std::vector<Bind> binds(fill(columns, nullptr));
    fill(columns, binds.data());
    std::vector<std::uint32_t> derived, planned;
    for (const Bind& bind : binds) derived.push_back(oid(type_of(bind, columns)));
    for (const std::string& type : statement.types) planned.push_back(oid_of(type));
    EXPECT_EQ(derived, planned) << statement.name;
}

void expect_same(const std::string& contract) {
    const auto checked = pipeline::check(contract);
    ASSERT_TRUE(checked.plan) << checked.findings.all().front().message;
    for (const plan::ServedEntity& entity : checked.plan->entities) {
        expect_same(
            entity, entity.insert_returning,
            entity.external ? create_binds<IdFrom::other_database> : create_binds<IdFrom::server>);
        expect_same(entity, entity.update_row, update_binds);
    }
}

// Owners are stamped, some columns are made by the server, and the key may come from elsewhere.
TEST(Parameters, AreThoseThatThePlanNumbers) {
    expect_same(R"({"app": {"name": "Elsewhere"},
        "personas": [{"id": "clerk", "kind": "staff"}],
        "entities": [
          {"name": "owned", "owner": "user", "fields": [
            {"name": "n", "type": "sequence", "prefix": "B-"},
            {"name": "price", "type": "money", "default": 3},
            {"name": "kind", "type": "enum", "values": ["a", "b"], "immutable": true},
            {"name": "seen", "type": "datetime", "write": []}],
           "access": {"read": "clerk", "create": "clerk"}},
          {"name": "kept", "owner": "none", "external": {"kind": "postgres", "connection": "secret:DB", "table": "public.kept", "key": "code"},
           "fields": [{"name": "code", "type": "string"}, {"name": "note", "type": "text"}],
           "access": {"read": "clerk", "create": "clerk", "update": "clerk"}},
          {"name": "untyped", "owner": "none", "external": {"kind": "postgres", "connection": "secret:DB", "table": "public.untyped", "key": "id"},
           "fields": [{"name": "note", "type": "text"}],
           "access": {"read": "clerk", "create": "clerk", "update": "clerk"}}]})");
}

}  // namespace
}  // namespace svc::emit
