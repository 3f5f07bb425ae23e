// A change makes the objects that depend on the changed column again, and leaves the database equal
// to a new one.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "migrate/schema/schema.hpp"
#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"
#include "unit/sample_text.hpp"

namespace svc::migrate {
namespace {

using nlohmann::ordered_json;

std::optional<plan::Plan> planned(const ordered_json& contract) {
    const auto checked = pipeline::check(contract.dump());
    return checked.findings.has_errors() ? std::nullopt : checked.plan;
}

// The clinic's tables and what holds for them.
ordered_json clinic() {
    auto contract = ordered_json::parse(tests::sample_text("clinic"));
    for (const char* key : {"queries", "functions", "workflows", "webhooks", "topics", "pages",
                            "components", "seeds", "payments", "connectors", "ai"}) {
        contract.erase(key);
    }
    return contract;
}

ordered_json& field(ordered_json& contract, const std::string& entity, const std::string& name) {
    for (auto& one : contract["entities"]) {
        if (one["name"] != entity) continue;
        for (auto& field : one["fields"]) {
            if (field["name"] == name) return field;
        }
    }
    throw std::runtime_error(entity + " has no field " + name);
}

class DependentsTest : public MigrateTest {
  protected:
    std::string everything() {
        pqxx::connection connection(target_.url);
        pqxx::work tx(connection);
        tx.exec0("set local search_path = public");
        std::string out;
        const auto schema = read_schema(tx, target_.data_role);
        for (const auto& [key, found] : schema.found) {
            out +=
                std::string(base::word(key.first)) + " " + key.second + " " + found.printed + "\n";
        }
        for (const auto& [column, keys] : schema.dependents) {
            for (const auto& [kind, name] : keys)
                out += column.first + "." + column.second + " < " + std::string(base::word(kind)) +
                       " " + name + "\n";
        }
        for (const auto& [name, table] : schema.tables) {
            for (const auto& [column, state] : table.columns) {
                out += name + "." + column + " " + state.type +
                       (state.not_null ? " not null\n" : "\n");
            }
        }
        return out;
    }

    // The same database, empty: its roles are part of what PostgreSQL prints.
    void empty() {
        query(
            "drop schema public, svc cascade; drop schema if exists svc_ext cascade;"
            " create schema public authorization pg_database_owner;"
            " grant usage on schema public to public");
    }

    std::set<std::string> kinds(const Result& result) {
        std::set<std::string> out;
        for (const Change& change : result.changes) out.emplace(base::word(change.kind));
        return out;
    }
};

TEST_F(DependentsTest, a_type_that_nothing_stands_on_changes_alone) {
    auto contract = clinic();
    ASSERT_TRUE(apply(*planned(contract)).ok);
    field(contract, "room", "floor")["type"] = "number";
    const auto result = apply(*planned(contract), 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(kinds(result), (std::set<std::string>{"drop_default", "alter_type", "set_default"}));
    EXPECT_TRUE(apply(*planned(contract), 3).changes.empty());
}

// The price of a treatment: its limit, and the rules that read it. Nothing of seven other tables.
TEST_F(DependentsTest, only_what_stands_on_the_column_is_made_anew) {
    auto contract = clinic();
    ASSERT_TRUE(apply(*planned(contract)).ok);
    field(contract, "treatment", "price")["type"] = "decimal";
    const auto shown = preview(*planned(contract), target_);
    for (const Change& change : shown.changes) {
        const bool says = change.sql.find("price") != std::string::npos;
        const bool whole = change.sql.find("treatment") != std::string::npos;
        EXPECT_TRUE(says || whole) << change.sql;
    }
    EXPECT_LT(shown.changes.size(), 12U);
    EXPECT_FALSE(kinds(shown).contains("drop_policy"));
    EXPECT_FALSE(kinds(shown).contains("drop_trigger"));
    EXPECT_TRUE(apply(*planned(contract), 2).ok);
}

// An earlier connection has run the trigger with the earlier type.
TEST_F(DependentsTest, earlier_connections_go_on) {
    const auto contract = [](const std::string& type) {
        return ordered_json::parse(R"({"app": {"name": "Shop"},
            "personas": [{"id": "c", "kind": "consumer"}],
            "entities": [{"name": "product", "owner": "none",
              "fields": [{"name": "stock", "type": ")" +
                                   type + R"("}, {"name": "sold", "type": "integer"}],
              "access": {"read": "*", "create": "c"},
              "rules": [{"on": ["create"], "refuse": "new.stock < 0", "message": "No."}]}]})");
    };
    ASSERT_TRUE(apply(*planned(contract("integer"))).ok);
    pqxx::connection before(target_.url);
    pqxx::nontransaction work(before);
    work.exec("insert into public.product (stock) values (1)");
    const auto result = apply(*planned(contract("decimal")), 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_NO_THROW(work.exec("insert into public.product (stock) values (1.5)"));
    EXPECT_THROW(work.exec("insert into public.product (stock) values (-1.5)"), pqxx::sql_error);
    EXPECT_FALSE(kinds(result).contains("trigger"));
}

TEST_F(DependentsTest, a_computed_field_that_leaves_with_the_type_below_it) {
    auto contract = clinic();
    ASSERT_TRUE(apply(*planned(contract)).ok);
    field(contract, "prescription_item", "times_a_day")["type"] = "decimal";
    for (auto& entity : contract["entities"]) {
        if (entity["name"] == "prescription_item")
            entity["fields"].erase(entity["fields"].size() - 1);
    }
    const auto plan = planned(contract);
    ASSERT_TRUE(plan);
    const auto result = apply(*plan, 2);
    EXPECT_TRUE(result.ok) << described(result);
}

// One change to one field of the contract; empty if the field has no such change.
ordered_json changed(ordered_json contract, std::mt19937& dice) {
    auto& entities = contract["entities"];
    auto& fields = entities[dice() % entities.size()]["fields"];
    auto& one = fields[dice() % fields.size()];
    const std::string type = one["type"];
    const std::map<std::string, std::vector<std::string>> others = {
        {"integer", {"number", "decimal", "float", "text"}},
        {"money", {"integer", "decimal"}},
        {"decimal", {"float", "text"}},
        {"string", {"text", "email"}},
        {"text", {"string"}},
        {"slug", {"string"}},
        {"date", {"datetime", "text"}},
        {"datetime", {"date", "text"}},
        {"boolean", {"text"}},
        {"enum", {"string"}}};
    switch (dice() % 4) {
        case 0:
            one["required"] = !one.value("required", false);
            break;
        case 1:
            one["index"] = !one.value("index", false);
            break;
        default:
            if (!others.contains(type)) return {};
            one["type"] = others.at(type)[dice() % others.at(type).size()];
            one.erase("values");
    }
    return contract;
}

TEST_F(DependentsTest, any_single_change_leaves_the_database_as_a_new_one_is) {
    std::mt19937 dice(20261122);
    const auto first = planned(clinic());
    std::int64_t version = 0;
    for (int tried = 0; tried < 8;) {
        const auto contract = changed(clinic(), dice);
        const auto next = contract.is_null() ? std::nullopt : planned(contract);
        if (!next) continue;
        ++tried;
        ASSERT_TRUE(apply(*first, ++version).ok);
        const auto was = everything();
        const auto there = apply(*next, ++version);
        ASSERT_TRUE(there.ok) << described(there) << contract.dump();
        const auto moved = everything();
        EXPECT_TRUE(apply(*next, ++version).changes.empty());
        const auto back = apply(*first, ++version);
        ASSERT_TRUE(back.ok) << described(back) << contract.dump();
        EXPECT_EQ(everything(), was) << contract.dump();
        empty();
        version = 0;
        ASSERT_TRUE(apply(*next, ++version).ok);
        EXPECT_EQ(everything(), moved) << contract.dump();
        empty();
    }
}

}  // namespace
}  // namespace svc::migrate
