// How callers of the matrix ask the database, and what they must reach.
#include "unit/check/truth_fixture.hpp"

#include <map>

#include "model/expr/typing.hpp"
#include "pipeline.hpp"
#include "plan/names.hpp"
#include "plan/sql/expr.hpp"
#include "unit/model/contract.hpp"

namespace svc::truth {
namespace {

using check::Formula;

constexpr const char* kOrg = "00000000-0000-7000-8000-0000000000aa";

// Runs one statement and takes it back. What a policy or a guard refuses did not work; a constraint
// is asked after them.
constexpr const char* kTry = R"sql(
create schema truth;
create function truth.works(statement text, id text) returns boolean language plpgsql as $try$
declare
    reached bigint;
begin
    execute replace(statement, '$id', quote_literal(id));
    get diagnostics reached = row_count;
    raise exception using errcode = 'SVOK0', message = reached;
exception
    when sqlstate 'SVOK0' then return sqlerrm <> '0';
    when foreign_key_violation or unique_violation then return true;
    when insufficient_privilege or sqlstate 'SV403' or sqlstate 'SV409' or sqlstate 'SV432' then return false;
end
$try$;
-- The rows that one statement reaches; null where other rows hold some of them.
create function truth.reached(statement text) returns bigint language plpgsql as $try$
declare
    reached bigint;
begin
    execute statement;
    get diagnostics reached = row_count;
    raise exception using errcode = 'SVOK0', message = reached;
exception
    when sqlstate 'SVOK0' then return sqlerrm;
    when foreign_key_violation then return null;
end
$try$;
grant usage on schema truth to public;
)sql";

}  // namespace

// Sets the caller as the server does, at the start of each transaction.
void Truth::enter(pqxx::transaction_base& work, const std::string& role, std::size_t caller) {
    const check::Caller& who = exposure_.callers[caller];
    using Kind = check::Caller::Kind;
    const std::string& id = who.persona.empty() ? who.name : who.persona;
    std::string names = id;
    std::string claims = "{\"isAdmin\": false";
    for (const auto& persona : plan_.personas) {
        if (persona.id != id) continue;
        names = persona.names;
        claims += ", \"persona\": \"" + id + "\"";
    }
    if (who.kind == Kind::org_role) names += ",signed_in";
    if (who.kind == Kind::member) names += "," + who.extends.back();
    if (who.kind == Kind::org_role || who.kind == Kind::member) {
        claims += std::string(", \"org\": \"") + kOrg + "\"";
    }
    work.exec("select set_config('svc.user_id', '" +
              (has_account(caller) ? account_of(caller) : "") +
              "', true), set_config('svc.principals', '" + names +
              "', true), set_config('svc.claims', '" + claims + "}', true)");
    work.exec("set local role " + role);
}

void Truth::fill(const Case& with) {
    pqxx::work work(*connection_);
    work.exec("set local role " + target_.owner_role);
    std::map<std::string, std::string> accounts;
    for (std::size_t i = 0; i < exposure_.callers.size(); ++i) {
        if (!has_account(i) || !exposure_.callers[i].persona.empty()) continue;
        const std::string& name = exposure_.callers[i].name;
        accounts[":" + name] = "'" + account(i) + "'";
        work.exec("insert into svc.account (id, email, persona) values ('" + account(i) + "', '" +
                  name + "@example.test', '" + name + "')");
    }
    for (std::string row : with.rows) {
        for (const auto& [name, id] : accounts) {
            for (auto at = row.find(name); at != std::string::npos; at = row.find(name)) {
                row.replace(at, name.size(), id);
            }
        }
        work.exec(row);
    }
    work.commit();
}

std::string Truth::predicate(std::size_t entity, const Formula& rows) const {
    if (rows.is_no() || rows.is_yes()) return rows.is_yes() ? "true" : "false";
    diag::Findings findings;
    const model::ExprScope scope{.model = model_, .entity = entity};
    const auto expr = model::read_condition({check::text(rows), ""}, scope, findings);
    EXPECT_TRUE(expr) << check::text(rows);
    return expr ? plan::sql_true(*expr, {model_, "r.", "r."}) : "false";
}

Ids Truth::expected(std::size_t entity, std::size_t caller, const Formula& rows,
                    const std::string& from) {
    pqxx::work work(*connection_);
    enter(work, target_.owner_role, caller);
    Ids out;
    for (const auto& row :
         work.exec("select r.id from " + from + " r where " + predicate(entity, rows))) {
        out.insert(row[0].as<std::string>());
    }
    return out;
}

Ids Truth::worked(std::size_t caller, const Ids& ids, const std::string& statement) {
    pqxx::work work(*connection_);
    enter(work, target_.data_role, caller);
    std::string list;
    for (const std::string& id : ids) list += (list.empty() ? "'" : ", '") + id + "'";
    Ids out;
    for (const auto& row :
         work.exec("select id from unnest(array[" + list + "]) id where truth.works(" +
                   work.quote(statement) + ", id)")) {
        out.insert(row[0].as<std::string>());
    }
    return out;
}

void Truth::sweep(std::size_t caller, const std::string& statement, std::size_t expected) {
    pqxx::work work(*connection_);
    enter(work, target_.data_role, caller);
    const auto reached = work.exec1("select truth.reached(" + work.quote(statement) + ")")[0];
    if (reached.is_null()) return;
    EXPECT_EQ(reached.as<std::size_t>(), expected)
        << exposure_.callers[caller].name << ": " << statement;
}

void Truth::hold(const Case& with) {
    SCOPED_TRACE(with.name);
    model_ = tests::resolved(with.contract);
    auto checked = pipeline::check(with.contract);
    ASSERT_TRUE(checked.plan);
    plan_ = std::move(*checked.plan);
    exposure_ = std::move(checked.exposure);
    plan_.seed_rows.clear();
    plan_.seed_users.clear();
    const auto result = apply(plan_);
    ASSERT_TRUE(result.ok) << migrate::described(result);
    const bool first = !connection_;
    if (first) connection_ = std::make_unique<pqxx::connection>(target_.url);
    if (first) {
        query(kTry);
        fill(with);
    }
    ASSERT_EQ(plan_.entities.size(), model_.entities.size());
    for (std::size_t entity = 0; entity < plan_.entities.size(); ++entity) {
        for (std::size_t caller = 0; caller < exposure_.callers.size(); ++caller) {
            try_entity(plan_.entities[entity], entity, caller);
        }
    }
}

}  // namespace svc::truth
