#include "verify/access/bench.hpp"

#include <algorithm>

#include "plan/names.hpp"

namespace svc::devapi::verification {
namespace {

// Checks, uniques and references: rows are made and taken away here that would break them.
constexpr const char* kConstraints =
    "select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, "
    "conname) from pg_constraint where contype in ('c', 'u', 'f') and conrelid in "
    "(select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', "
    "'p'))";
constexpr const char* kUniqueIndexes =
    "select format('drop index if exists %s', i.indexrelid::regclass) from pg_index i "
    "join pg_class t on t.oid = i.indrelid where i.indisunique and not i.indisprimary "
    "and t.relnamespace = 'public'::regnamespace";

}  // namespace

Bench::Bench(Subject& subject, Triggers triggers)
    : subject_(subject), db_(subject.connection), rollback_(db_) {
    db_.act_as_owner();
    if (triggers == Triggers::off) db_.disable_triggers();
    for (const char* of : {kConstraints, kUniqueIndexes}) {
        std::string all;
        for (const std::string& drop : db_.list(of)) all += drop + "; ";
        if (!all.empty()) db_.run(all);
    }
    db_.reset_role();
}

std::vector<std::string> Bench::ask(const std::string& sql) {
    db_.act_as_owner();
    db_.run("set local timezone = " + plan::literal(subject_.model.app.timezone));
    auto out = db_.list(sql);
    db_.run("set local timezone = 'UTC'");
    db_.reset_role();
    return out;
}

std::vector<std::string> Bench::each(const std::vector<std::string>& statements) {
    if (statements.empty()) return {};
    return db_.list("select svc_verify.tried(s) from unnest(" + text_array(statements) +
                    ") with ordinality as t (s, n) order by n");
}

std::vector<std::string> Bench::tried(const VerifyCaller& caller,
                                      const std::vector<std::string>& statements) {
    std::vector<std::string> out;
    rolled_back([&] {
        db_.act_as(caller);
        out = each(statements);
    });
    return out;
}

std::vector<std::string> Bench::tried_past_policies(const VerifyCaller& caller,
                                                    const std::vector<std::string>& statements) {
    std::vector<std::string> out;
    rolled_back([&] {
        db_.act_as(caller);
        db_.reset_role();
        db_.act_as_owner();
        out = each(statements);
    });
    return out;
}

bool asks_for_itself(const VerifyCaller& caller, const model::Entity& entity) {
    const auto of_role = [](const model::Grant& grant) {
        return grant.to.kind == model::Principal::Kind::org_role;
    };
    const model::Access& access = entity.access;
    bool roles = false;
    for (const auto* grants : {&access.create, &access.update, &access.remove, &access.deny.create,
                               &access.deny.update, &access.deny.remove})
        roles = roles || std::ranges::any_of(*grants, of_role);
    return caller.org_role.empty() || roles;
}

void Bench::begin_made(const model::Entity& entity) {
    db_.run("savepoint made");
    db_.act_as_owner();
    db_.run("create table svc_verify.made (like " + plan::table(entity.name) +
            " including generated); alter table svc_verify.made add column _n serial, add column "
            "_f text; "
            "grant select on svc_verify.made to " +
            plan::ident(db_.database().data_role));
    db_.reset_role();
}

void Bench::end_made() { db_.run("rollback to savepoint made; release savepoint made"); }

std::string Bench::columns(const model::Entity& entity, const std::vector<std::string>& but) {
    auto& all = columns_[entity.name];
    if (all.empty())
        all = db_.list("select attname from pg_attribute where attrelid = " +
                       plan::literal(plan::table(entity.name)) +
                       "::regclass and attnum > 0 and not attisdropped and attgenerated = '' "
                       "order by attnum");
    std::string out;
    for (const std::string& column : all)
        if (std::ranges::find(but, column) == but.end())
            out += (out.empty() ? "" : ", ") + plan::ident(column);
    return out;
}

std::string Bench::owner_words(const model::Entity& entity, const std::string& source,
                               const std::string& which, const VerifyCaller& caller) {
    std::string out;
    if (entity.owner.user) {
        const std::string owner = db_.text(
            "select coalesce((select name || case when email like '%@verify.invalid' then "
            "'' else ' <' || email || '>' end from svc.account a where a.id = r.user_id), "
            "'') from " +
            source + " r where " + which);
        const std::string id = db_.text("select user_id from " + source + " r where " + which);
        out += id.empty()        ? ", which belongs to nobody"
               : id == caller.id ? ", which belongs to the caller"
                                 : ", which is " + owner + "'s";
    }
    if (entity.owner.org) {
        const std::string org = db_.text("select org_id from " + source + " r where " + which);
        out += org.empty()         ? ", of no organisation"
               : org == caller.org ? ", of the caller's organisation"
                                   : ", of another organisation";
    }
    return out;
}

std::string Bench::describe(const model::Entity& entity, const std::string& id,
                            const VerifyCaller& caller, const std::string& table) {
    const std::string source = table.empty() ? plan::table(entity.name) : table;
    const std::string which =
        (table.empty() ? "r.id::text = " : "r._n::text = ") + plan::literal(id);
    db_.act_as_owner();
    std::string out =
        table.empty() ? "the row " + id + " of " + entity.name : "a row of " + entity.name;
    out += owner_words(entity, source, which, caller);
    if (entity.lifecycle) {
        const std::string& state = entity.fields[entity.lifecycle->field].name;
        out += ", with " + state + " " +
               db_.text("select " + plan::ident(state) + " from " + source + " r where " + which);
    }
    db_.reset_role();
    return out;
}

}  // namespace svc::devapi::verification
