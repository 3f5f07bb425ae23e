#include "world.hpp"

#include <unistd.h>

#include <stdexcept>

#include "migrate/migrate.hpp"
#include "plan/names.hpp"
#include "rows.hpp"

namespace svc::differential {
namespace {

constexpr int kShelves = 12, kParts = 70, kAccounts = 3;

std::string with_database(const std::string& url, const std::string& name) {
    const auto begin = url.find('/', url.find("://") + 3);
    const auto query = url.find('?');
    return url.substr(0, begin) + "/" + name +
           (query == std::string::npos ? "" : url.substr(query));
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (auto at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
    return text;
}

std::uint64_t bits_of(const plan::Plan& plan, const std::string& persona) {
    for (const auto& each : plan.personas) {
        if (each.id == persona) return each.principals;
    }
    return 0;
}

Person user(const plan::Plan& plan, const std::string& persona, int account, bool admin,
            const Cell& org) {
    Person out;
    out.label = persona + std::to_string(account) + (admin ? " (admin)" : "");
    out.id = id_of('0', account);
    out.user_id = *out.id;
    out.persona = persona;
    out.org = org;
    out.email = "a" + std::to_string(account) + "@example.test";
    out.is_admin = admin;
    for (const auto& each : plan.personas) {
        if (each.id == persona) out.principals = each.names;
    }
    out.bits = bits_of(plan, persona);
    out.claims = std::string(R"({"isAdmin":)") + (admin ? "true" : "false") + R"(,"persona":")" +
                 persona + "\"" + (org ? R"(,"org":")" + *org + "\"" : "") + R"(,"email":")" +
                 *out.email + "\"}";
    return out;
}

}  // namespace

std::vector<Person> people(const plan::Plan& plan) {
    Person guest;
    guest.label = "guest";
    guest.principals = "guest";
    guest.bits = 1;
    Person server;
    server.label = "server";
    server.principals = "server";
    server.bits = 16;
    return {guest,
            server,
            user(plan, "customer", 1, false, std::nullopt),
            user(plan, "customer", 2, false, id_of('0', 1)),
            user(plan, "clerk", 3, false, id_of('f', 1)),
            user(plan, "manager", 1, true, id_of('0', 2))};
}

World::World(const std::string& server_url, const plan::Plan& plan, Dice& dice)
    : server_url_(server_url), people_(people(plan)) {
    static int made = 0;
    name_ = "svc_differential_" + std::to_string(getpid()) + "_" + std::to_string(++made);
    owner_ = name_ + "_owner";
    data_role_ = name_ + "_data";
    make_database(plan);
    connection_ = std::make_unique<pqxx::connection>(with_database(server_url_, name_));
    settle();
    fill(plan, dice);
    prepare(plan);
    for (const auto& entity : plan.entities) {
        tables_.push_back(cells(plan::table(entity.name), entity));
    }
    after_ = cells("test.after", plan.entities[kThing]);
    today_ = work_
                 ->exec("select (timestamptz '" + std::string(kNow) + "' at time zone " +
                        plan::literal(plan.timezone) + ")::date::text")[0][0]
                 .as<std::string>();
    settle();
}

void World::settle() {
    if (work_) {
        work_->exec("commit");
    } else {
        work_ = std::make_unique<pqxx::nontransaction>(*connection_);
    }
    work_->exec("begin");
    work_->exec("set local timezone = 'UTC'; set local datestyle = 'ISO'; set local jit = off");
}

World::~World() {
    work_.reset();
    connection_.reset();
    pqxx::connection server(server_url_);
    pqxx::nontransaction work(server);
    work.exec("drop database " + name_ + " with (force)");
    for (const auto& role : {owner_, data_role_, name_ + "_system"}) work.exec("drop role " + role);
}

void World::make_database(const plan::Plan& plan) {
    pqxx::connection server(server_url_);
    pqxx::nontransaction work(server);
    for (const auto& role : {owner_, data_role_, name_ + "_system"}) {
        work.exec("create role " + role + " nologin");
    }
    work.exec("create database " + name_ + " owner " + owner_);
    const migrate::Target target{with_database(server_url_, name_), owner_, data_role_,
                                 name_ + "_system"};
    const auto result = migrate::apply(plan, target, {1, "{}", "hash", "/bin/app"});
    if (!result.ok) throw std::runtime_error("the schema was not made");
}

void World::fill(const plan::Plan& plan, Dice& dice) {
    for (int i = 1; i <= kAccounts; ++i) {
        work_->exec("insert into svc.account (id, email, persona) values ('" + id_of('0', i) +
                    "', 'a" + std::to_string(i) + "@example.test', 'customer')");
    }
    const auto some = [&](char kind, int count) {
        return dice.chance(25)
                   ? "null"
                   : "'" +
                         id_of(kind,
                               1 + static_cast<int>(dice.below(static_cast<std::size_t>(count)))) +
                         "'";
    };
    const auto value = [&](const plan::Table& table, const plan::Column& column, int n) {
        if (column.name == "id")
            return "'" +
                   id_of(table.name == "shelf"  ? '2'
                         : table.name == "part" ? '3'
                                                : '0',
                         n) +
                   "'";
        if (column.name == "thing_id") return some('0', kThings);
        if (column.name == "parent_id") return n < 5 ? std::string("null") : some('0', n - 1);
        if (column.name == "shelf_id") return some('2', kShelves);
        if (column.name == "created_at" || column.name == "updated_at") {
            const std::string moment = random_value(dice, column.sql_type);
            return moment == "null" ? std::string("now()") : moment;
        }
        if (column.name == "kind") return std::string(dice.chance(30) ? "null" : "'placed'");
        if (column.sql_type == "uuid") return some('0', kAccounts);
        return random_value(dice, column.sql_type);
    };
    for (const char* name : {"shelf", "thing", "part"}) {
        for (const plan::Table& table : plan.tables) {
            if (table.name != name) continue;
            const int count = table.name == "thing"  ? kThings
                              : table.name == "part" ? kParts
                                                     : kShelves;
            for (int n = 1; n <= count; ++n) {
                std::string values;
                for (const plan::Column& column : table.columns) {
                    values += (values.empty() ? "" : ", ") + value(table, column, n);
                }
                work_->exec("insert into " + plan::table(table.name) + " values (" + values + ")");
            }
        }
    }
}

// test.after: each thing with the values of another. test.ask: a statement as every caller.
// test.ask_at_once: as feeds ask about all of them.
void World::prepare(const plan::Plan& plan) {
    std::string columns;
    for (const plan::Column& column : plan.tables[kThing].columns) {
        const bool own = column.name == "id" || column.name == "updated_at";
        columns += (columns.empty() ? "" : ", ") + std::string(own ? "t." : "o.") +
                   plan::ident(column.name);
    }
    std::string identities;
    for (const Person& person : people_) {
        identities += (identities.empty() ? "(" : ", (") + work_->quote(person.user_id) + ", " +
                      work_->quote(person.principals) + ", " + work_->quote(person.claims) + ")";
    }
    work_->exec(
        "create schema test; create view test.after as select " + columns +
        " from public.thing t join public.thing o on right(o.id::text, 3)::int = "
        "right(t.id::text, 3)::int % " +
        std::to_string(kThings) +
        " + 1;"
        "create function test.ask(statement text, caller text) returns text language plpgsql as $$"
        "declare person record; part text; answer text := ''; begin "
        "for person in values " +
        identities +
        " loop "
        "perform set_config('svc.user_id', person.column1, true), "
        "set_config('svc.principals', person.column2, true), "
        "set_config('svc.claims', person.column3, true), set_config('test.refused', '', true);"
        "if caller <> '' then execute 'set local role ' || caller; end if;"
        "if statement like 'update%' then execute statement; "
        "part := current_setting('test.refused'); "
        "else execute statement into part; end if;"
        "execute 'set local role " +
        owner_ +
        "'; answer := answer || coalesce(part, '') || '|'; end loop; return answer; end $$;"
        "create function test.ask_at_once() returns text language plpgsql as $$"
        "declare callers svc.caller[] := array(select row(row_number() over () - 1, "
        "nullif(column1, ''), string_to_array(column2, ','), nullif(column3, ''))::svc.caller "
        "from (values " +
        identities +
        ") each); begin return (with told as (select right(t.id::text, 3) as id, reader "
        "from public.thing t cross join lateral svc.thing_readers(t, callers) reader) "
        "select string_agg(coalesce((select string_agg(id, '') from told where reader = n), '') "
        "|| '|', '' order by n) from generate_series(0, " +
        std::to_string(people_.size() - 1) +
        ") n); end $$;"
        "create function test.nothing() returns trigger language plpgsql as "
        "'begin return null; end';"
        "create trigger zzz before update on public.thing for each row execute function "
        "test.nothing();"
        "grant all on schema test to " +
        owner_ + "; grant all on all tables in schema test to " + owner_);
    run("select 1");
}

std::vector<Cells> World::cells(const std::string& from, const plan::ServedEntity& entity) {
    std::string columns;
    for (const auto& column : entity.columns) {
        columns += (columns.empty() ? "" : ", ") + plan::ident(column.name) + "::text";
    }
    std::vector<Cells> out;
    for (const auto& row : work_->exec("select " + columns + " from " + from + " order by id")) {
        Cells cells;
        for (const auto& field : row) {
            cells.push_back(field.is_null() ? Cell() : Cell(field.as<std::string>()));
        }
        out.push_back(std::move(cells));
    }
    return out;
}

void World::run(const std::string& sql) {
    work_->exec("set local role " + owner_);
    work_->exec(replaced(sql, ":data_role", data_role_));
}

// "001007|…": three digits a row that was given, a bar after each caller.
std::vector<Answers> World::all(const std::string& call) {
    const auto answer = work_->exec(call)[0][0].as<std::string>();
    std::vector<Answers> out;
    Answers one(kThings, '0');
    for (std::size_t at = 0; at < answer.size();) {
        if (answer[at] == '|') {
            out.push_back(one);
            one.assign(kThings, '0');
            ++at;
        } else {
            one[static_cast<std::size_t>(std::stoi(answer.substr(at, 3)) - 1)] = '1';
            at += 3;
        }
    }
    return out;
}

std::vector<Answers> World::ask(const std::string& query, bool as_data_role) {
    return all("select test.ask(" + work_->quote(query) + ", " +
               work_->quote(as_data_role ? data_role_ : "") + ")");
}

// The trigger that keeps other statements from changing things is off meanwhile.
std::vector<Change> World::changes_of(const std::string& statement) {
    work_->exec("set local role none; alter table public.thing disable trigger zzz");
    const auto last = work_->exec("select nextval('svc.change_seq')")[0][0].as<std::string>();
    work_->exec(statement);
    std::vector<Change> out;
    for (const auto& row : work_->exec("select table_name, row_id::text, coalesce(old::text, ''), "
                                       "coalesce(new::text, '') from "
                                       "svc.change where seq > " +
                                       last + " order by seq"))
        out.push_back({row[0].c_str(), row[1].c_str(), row[2].c_str(), row[3].c_str()});
    work_->exec("set local role " + owner_);
    return out;
}

std::vector<Answers> World::ask_at_once() { return all("select test.ask_at_once()"); }

std::vector<Answers> World::refused(const std::string& statement) {
    return all("select test.ask(" + work_->quote(statement) + ", '')");
}

}  // namespace svc::differential
