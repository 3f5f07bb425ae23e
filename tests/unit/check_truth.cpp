// The matrix of exposure, held against a real database: every caller tries every operation on every
// row as the data role, and reaches exactly the rows that the matrix says.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "check/exposure.hpp"
#include "check_contracts.hpp"
#include "check_mutants.hpp"
#include "migrate_fixture.hpp"
#include "model/expr/typing.hpp"
#include "model_contract.hpp"
#include "paths.hpp"
#include "pipeline.hpp"
#include "plan/names.hpp"
#include "plan/sql_expr.hpp"

namespace {

using svc::check::Cell;
using svc::check::Exposure;
using svc::check::Formula;
using svc::tests::Json;
using Ids = std::set<std::string>;

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

struct Case {
    std::string name, contract;
    std::vector<std::string> rows;  // inserts; :client and the like are accounts
};

std::string account(std::size_t number) {
    return "00000000-0000-7000-8000-0000000000" + std::to_string(10 + number);
}
constexpr const char* kOrg = "00000000-0000-7000-8000-0000000000aa";

class Truth : public svc::migrate::MigrateTest {
  protected:
    void hold(const Case& with);

  private:
    void enter(pqxx::transaction_base& work, const std::string& role, std::size_t caller);
    void fill(const Case& with);
    void try_entity(const svc::plan::ServedEntity& served, std::size_t entity, std::size_t caller);
    std::string predicate(std::size_t entity, const Formula& rows) const;
    // Rows of `from` (aliased r) where the formula holds, asked as the owner.
    Ids expected(std::size_t entity, std::size_t caller, const Formula& rows,
                 const std::string& from);
    // The rows on which the caller's statement works; $id is the row's.
    Ids worked(std::size_t caller, const Ids& ids, const std::string& statement);
    // What the caller's statement reaches where nothing in it looks at a row.
    void sweep(std::size_t caller, const std::string& statement, std::size_t expected);
    Ids created(const svc::plan::ServedEntity& served, std::size_t caller);
    std::string new_row(const svc::plan::ServedEntity& served, std::size_t caller) const;
    bool is_computed(const svc::plan::ServedEntity& served, const std::string& column) const {
        for (const auto& entity : model_.entities) {
            if (entity.name != served.name) continue;
            for (const auto& field : entity.fields) {
                if (field.name == column) return field.computed != nullptr;
            }
        }
        return false;
    }
    bool has_account(std::size_t caller) const {
        using Kind = svc::check::Caller::Kind;
        const Kind kind = exposure_.callers[caller].kind;
        return kind == Kind::staff || kind == Kind::consumer || kind == Kind::member;
    }

    // Of a member it is their persona's.
    std::string account_of(std::size_t caller) const {
        const std::string& persona = exposure_.callers[caller].persona;
        for (std::size_t i = 0; i < caller; ++i) {
            if (exposure_.callers[i].name == persona) return account(i);
        }
        return account(caller);
    }

    svc::model::Model model_;
    svc::plan::Plan plan_;
    Exposure exposure_;
    std::unique_ptr<pqxx::connection> connection_;
};

// As the server does it, at the start of each transaction.
void Truth::enter(pqxx::transaction_base& work, const std::string& role, std::size_t caller) {
    const svc::check::Caller& who = exposure_.callers[caller];
    using Kind = svc::check::Caller::Kind;
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
    svc::diag::Findings findings;
    const svc::model::ExprScope scope{.model = model_, .entity = entity};
    const auto expr = svc::model::read_condition({svc::check::text(rows), ""}, scope, findings);
    EXPECT_TRUE(expr) << svc::check::text(rows);
    return expr ? svc::plan::sql_true(*expr, {model_, "r.", "r."}) : "false";
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

// The caller's own row with the values of row r, in its first state.
std::string Truth::new_row(const svc::plan::ServedEntity& served, std::size_t caller) const {
    std::string out;
    for (const auto& column : served.columns) {
        const std::string name = svc::plan::ident(column.name);
        std::string value = "r." + name;
        if (column.name == "user_id") {
            value = has_account(caller) ? "'" + account_of(caller) + "'::uuid" : "null::uuid";
        } else if (column.name == "org_id") {
            value = "svc.claim('org')::uuid";
        } else if (column.name == served.lifecycle_field) {
            value = "'" + std::string("open") + "'";
            for (const auto& entity : model_.entities) {
                if (entity.name == served.name) value = "'" + entity.lifecycle->initial + "'";
            }
        }
        out += (out.empty() ? "" : ", ") + value + " as " + name;
    }
    return out;
}

Ids Truth::created(const svc::plan::ServedEntity& served, std::size_t caller) {
    std::string columns;
    std::string values;
    for (const auto& column : served.columns) {
        if (is_computed(served, column.name)) continue;
        columns += (columns.empty() ? "" : ", ") + svc::plan::ident(column.name);
        const std::string value = "made_row." + svc::plan::ident(column.name);
        values += (values.empty() ? "" : ", ") + (column.name == "id" ? "svc.new_id()" : value);
    }
    // The caller may not see the rows that they copy.
    std::map<std::string, std::string> rows;
    {
        pqxx::work work(*connection_);
        enter(work, target_.owner_role, caller);
        for (const auto& row : work.exec("select made_row.id, to_jsonb(made_row) from (select " +
                                         new_row(served, caller) + " from public." +
                                         svc::plan::ident(served.name) + " r) made_row")) {
            rows[row[0].as<std::string>()] = work.quote(row[1].as<std::string>());
        }
    }
    Ids out;
    for (const auto& [id, json] : rows) {
        const Ids one = worked(
            caller, {id},
            "insert into public." + svc::plan::ident(served.name) + " (" + columns + ") select " +
                values + " from jsonb_populate_record(null::public." +
                svc::plan::ident(served.name) + ", " + json + ") made_row where $id is not null");
        out.insert(one.begin(), one.end());
    }
    return out;
}

void Truth::try_entity(const svc::plan::ServedEntity& served, std::size_t entity,
                       std::size_t caller) {
    const std::string table = "public." + svc::plan::ident(served.name);
    const std::string who = exposure_.callers[caller].name + " ";
    const Ids all = expected(entity, caller, svc::check::always(true), table);
    ASSERT_GT(all.size(), 1U);
    for (const Cell& cell : exposure_.entities[entity].cells[caller]) {
        const std::string what =
            who + cell.operation + " " + served.name + ": " + svc::check::rows_text(cell.rows);
        if (cell.operation == "create") {
            EXPECT_EQ(created(served, caller),
                      expected(entity, caller, cell.rows,
                               "(select " + new_row(served, caller) + " from " + table + " r)"))
                << what;
            continue;
        }
        std::string statement = "select id from " + table + " where id = $id";
        if (cell.operation == "update")
            statement = "update " + table + " set updated_at = updated_at where id = $id";
        if (cell.operation == "delete") statement = "delete from " + table + " where id = $id";
        if (cell.operation.starts_with("transition ")) {
            statement = "select * from svc." + served.name + "_transition($id, '" +
                        cell.operation.substr(11) + "')";
        }
        const Ids right = expected(entity, caller, cell.rows, table);
        EXPECT_EQ(worked(caller, all, statement), right) << what;
        if (cell.operation == "update" || cell.operation == "delete") {
            sweep(caller, statement.substr(0, statement.find(" where id")), right.size());
        }
        if (cell.operation != "update") continue;
        for (const auto& column : served.columns) {
            if (column.type != "text") continue;
            const auto& open = cell.fields;
            const auto field = std::find_if(open.begin(), open.end(),
                                            [&](const auto& of) { return of.name == column.name; });
            EXPECT_EQ(worked(caller, all,
                             "update " + table + " set " + svc::plan::ident(column.name) +
                                 " = 'X' where id = $id"),
                      field == open.end() ? Ids{} : expected(entity, caller, field->where, table))
                << what << ", field " << column.name;
        }
    }
}

void Truth::hold(const Case& with) {
    SCOPED_TRACE(with.name);
    model_ = svc::tests::resolved(with.contract);
    auto checked = svc::pipeline::check(with.contract);
    ASSERT_TRUE(checked.plan);
    plan_ = std::move(*checked.plan);
    exposure_ = std::move(checked.exposure);
    plan_.seed_rows.clear();
    plan_.seed_users.clear();
    const auto result = apply(plan_);
    ASSERT_TRUE(result.ok) << svc::migrate::told(result);
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

// Which mutants: those whose rows come out otherwise than the original's.
std::string mutant(const std::string& contract, const std::string& name) {
    for (const auto& one : svc::tests::mutants(Json::parse(contract))) {
        if (one.name == name) return one.contract;
    }
    ADD_FAILURE() << "no mutant " << name;
    return contract;
}

const std::vector<std::string> kDeskRows = {
    "insert into ticket (id, title, user_id, priority, locked, state) values "
    "('00000000-0000-7000-8000-000000000101', 'a', :client, 1, false, 'open'), "
    "('00000000-0000-7000-8000-000000000102', 'b', :client, 2, true, 'busy'), "
    "('00000000-0000-7000-8000-000000000103', 'c', :agent, 3, false, 'done'), "
    "('00000000-0000-7000-8000-000000000104', 'd', null, null, null, 'open'), "
    "('00000000-0000-7000-8000-000000000105', 'e', :client, null, null, 'busy'), "
    "('00000000-0000-7000-8000-000000000106', 'f', :lead, 4, true, 'done')",
    "insert into note (id, ticket_id, body) select ('00000000-0000-7000-8000-0000000002' || "
    "right(id::text, 2))::uuid, id, 'n' from ticket where title <> 'b'",
    "insert into picture (note_id, title) select id, 'p' from note union all select null, 'q'",
    "insert into diary (user_id, body) values (:client, 'x'), (:agent, 'y'), (null, 'z')",
    "insert into states (body) values ('x'), ('y')",
    "insert into place (org_id, name, public) values "
    "('00000000-0000-7000-8000-0000000000aa', 'a', true), "
    "('00000000-0000-7000-8000-0000000000aa', 'b', false), "
    "('00000000-0000-7000-8000-0000000000bb', 'c', null)",
};

TEST_F(Truth, TheMatrixIsWhatTheDatabaseDoes) { hold({"desk", svc::tests::kDesk, kDeskRows}); }

TEST_F(Truth, AlsoOfMutants) {
    for (const char* name : {"ticket: read of consumer: condition turned round",
                             "ticket: deny delete dropped", "agent: extends client"}) {
        hold({name, mutant(svc::tests::kDesk, name), kDeskRows});
    }
}

// Conditions that look at rows which their caller may not see, and denials of fields.
TEST_F(Truth, AlsoOfWhatLooksAtHiddenRows) {
    const char* const contract = R"json({
      "app": {"name": "Holds"},
      "personas": [{"id": "client", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
      "entities": [
        {"name": "team", "owner": "none", "fields": [{"name": "vip", "type": "boolean"}],
         "access": {"read": ["clerk"]}},
        {"name": "hold", "owner": "none",
         "fields": [{"name": "doc_id", "type": "ref", "to": "doc", "required": true, "onDelete": "cascade"}],
         "access": {"read": ["clerk"]}},
        {"name": "doc", "owner": "none",
         "fields": [
           {"name": "title", "type": "text"}, {"name": "note", "type": "text"},
           {"name": "mark", "type": "text", "write": ["clerk"]}, {"name": "stamp", "type": "text", "write": []},
           {"name": "n", "type": "integer"}, {"name": "twice", "type": "integer", "computed": "n * 2"},
           {"name": "team_id", "type": "ref", "to": "team"}],
         "relations": {"holds": {"many": "hold", "by": "doc_id"}},
         "access": {
           "read": [{"to": "client", "if": "n == 1 || n == 3"}, {"to": "clerk", "if": "n < 3"}],
           "update": [{"to": "client", "fields": ["title"], "if": "team.vip"},
                      {"to": "client", "fields": ["note", "mark"], "if": "!exists(holds)"}, "clerk"],
           "delete": ["client", {"to": "clerk", "if": "team.vip"}],
           "deny": {"update": [{"to": "clerk", "fields": ["note"], "if": "twice == 4"},
                               {"to": "client", "fields": ["note"], "if": "team.vip && n == 3"}],
                    "delete": [{"to": "clerk", "if": "exists(holds)"}]}}},
        {"name": "part", "owner": "none",
         "fields": [{"name": "doc_id", "type": "ref", "to": "doc", "required": true, "onDelete": "cascade"},
                    {"name": "body", "type": "text"}],
         "access": {"same_as": "doc_id"}},
        {"name": "piece", "owner": "none",
         "fields": [{"name": "part_id", "type": "ref", "to": "part", "required": true, "onDelete": "cascade"},
                    {"name": "body", "type": "text"}],
         "access": {"same_as": "part_id"}}]})json";
    hold({"holds",
          contract,
          {"insert into team (id, vip) values ('00000000-0000-7000-8000-000000000301', true), "
           "('00000000-0000-7000-8000-000000000302', false)",
           "insert into doc (title, n, team_id) select 'a', n, t.id from generate_series(1, 4) n, "
           "team t union all select 'b', n, null from generate_series(1, 4) n",
           "insert into doc (title, n, team_id) select 'held', n, t.id from "
           "generate_series(1, 4) n, team t",
           "insert into hold (doc_id) select id from doc where title = 'held'",
           "insert into part (doc_id, body) select id, 'p' from doc",
           "insert into piece (part_id, body) select id, 'q' from part"}});
}

// The parent's condition looks elsewhere only for update, or only for read.
TEST_F(Truth, AlsoUnderAParentThatIsReadOtherwiseThanWritten) {
    for (
        const char* access :
        {R"("read": [{"to": "client", "if": "n == 1"}], "update": [{"to": "client", "if": "team.vip"}])",
         R"("read": [{"to": "client", "if": "team.vip"}], "update": [{"to": "client", "if": "n == 1"}])",
         R"("read": [{"to": "client", "if": "n == 1"}], "update": ["client"], "delete": ["client"])"}) {
        const std::string contract = std::string(R"json({
          "app": {"name": "Parents"}, "personas": [{"id": "client", "kind": "consumer"}],
          "entities": [
            {"name": "team", "owner": "none", "fields": [{"name": "vip", "type": "boolean"}],
             "access": {"read": ["server"]}},
            {"name": "doc", "owner": "none",
             "fields": [{"name": "title", "type": "text"}, {"name": "n", "type": "integer"},
                        {"name": "team_id", "type": "ref", "to": "team"}],
             "access": {)json") + access +
                                     R"json(}},
            {"name": "part", "owner": "none",
             "fields": [{"name": "doc_id", "type": "ref", "to": "doc", "required": true, "onDelete": "cascade"},
                        {"name": "body", "type": "text"}],
             "access": {"same_as": "doc_id"}}]})json";
        hold({access,
              contract,
              {"insert into team (vip) values (true), (false)",
               "insert into doc (title, n, team_id) select 'a', n, t.id from "
               "generate_series(1, 2) n, team t",
               "insert into part (doc_id, body) select id, 'p' from doc"}});
    }
}

TEST_F(Truth, AlsoOfWhatAsksAboutTheCaller) {
    const char* const contract = R"json({
      "app": {"name": "Questions"},
      "personas": [{"id": "client", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
      "orgs": {"enabled": true, "roles": ["owner", "admin"]},
      "entities": [
        {"name": "doc", "owner": "none",
         "fields": [{"name": "title", "type": "text"}, {"name": "n", "type": "integer"}],
         "access": {"read": [{"to": "client", "if": "n == 1"}, {"to": "clerk", "if": "n < 3"}],
                    "update": [{"to": "client", "if": "n <= 2"}, "clerk"], "delete": ["clerk"]}},
        {"name": "part", "owner": "none",
         "fields": [{"name": "doc_id", "type": "ref", "to": "doc", "required": true, "onDelete": "cascade"},
                    {"name": "body", "type": "text"}],
         "access": {"read": [{"to": "*", "if": "can('read', doc_id)"}],
                    "create": [{"to": "client", "if": "can('update', doc_id)"}],
                    "update": [{"to": "signed_in", "if": "can('update', doc_id) && body != 'held'"}],
                    "delete": [{"to": "signed_in", "if": "!can('delete', doc_id)"}]}},
        {"name": "scheme", "owner": "org", "fields": [{"name": "note", "type": "text"}],
         "access": {"read": [{"to": "client", "if": "member(org_id, 'admin', 'owner')"},
                             {"to": "clerk", "if": "member(org_id)"}],
                    "update": [{"to": "client", "if": "!member(org_id)"}]}}]})json";
    hold({"questions",
          contract,
          {"insert into doc (title, n) values ('a', 1), ('b', 2), ('c', 3), ('d', null)",
           "insert into part (doc_id, body) select id, 'free' from doc union all select id, 'held' "
           "from doc",
           "insert into scheme (org_id, note) values ('00000000-0000-7000-8000-0000000000aa', "
           "'ours'), "
           "('00000000-0000-7000-8000-0000000000ab', 'theirs'), (null, 'nobody')"}});
}

TEST_F(Truth, AlsoOfTheShop) {
    std::ifstream file(std::string(SVC_SOURCE_DIR) + "/samples/shop/svc.json");
    std::ostringstream text;
    text << file.rdbuf();
    hold({"shop",
          text.str(),
          {"insert into product (sku, title, price, stock, active) values ('A', 'a', 1, 9, true), "
           "('B', 'b', 1, 9, false), ('C', 'c', 1, 9, null)",
           "insert into \"order\" (user_id, note, status) values (:customer, 'x', 'draft'), "
           "(:customer, 'y', 'placed'), (:clerk, 'z', 'draft')",
           "insert into order_line (order_id, product_id) select o.id, p.id from \"order\" o, "
           "product p where p.sku = 'A'"}});
}

}  // namespace
