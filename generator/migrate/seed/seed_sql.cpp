#include "migrate/seed/seed_sql.hpp"

#include <algorithm>

#include "migrate/seed/seed_hashes.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::ident;

pqxx::result execute(pqxx::transaction_base& tx, const std::string& sql, const SeedValues& values) {
    std::vector<const char*> texts;
    texts.reserve(values.size());
    for (const auto& value : values) texts.push_back(value ? value->c_str() : nullptr);
    return tx.exec_params(sql, pqxx::prepare::make_dynamic_params(texts));
}

}  // namespace

std::string insert_row(pqxx::transaction_base& tx, const plan::SeedRow& row,
                       const SeedValues& values) {
    std::string names, placeholders;
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
        names += (i == 0 ? "" : ", ") + ident(row.columns[i]);
        placeholders += (i == 0 ? "$" : ", $") + std::to_string(i + 1);
    }
    const std::string into = "insert into " + plan::table(row.entity);
    const auto made = execute(
        tx,
        names.empty() ? into + " default values returning id"
                      : into + " (" + names + ") values (" + placeholders + ") returning id",
        values);
    return made[0][0].c_str();
}

void update_row(pqxx::transaction_base& tx, const plan::SeedRow& row, const SeedValues& values,
                const std::vector<std::string>& columns, const std::string& id) {
    std::string sets;
    SeedValues sent;
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
        if (std::ranges::find(columns, row.columns[i]) == columns.end()) continue;
        sent.push_back(values[i]);
        sets += (sets.empty() ? "" : ", ") + ident(row.columns[i]) + " = $" +
                std::to_string(sent.size());
    }
    if (sets.empty()) return;
    sent.emplace_back(id);
    execute(tx,
            "update " + plan::table(row.entity) + " set " + sets + " where id = $" +
                std::to_string(sent.size()),
            sent);
}

SeedRecord insert_user(pqxx::transaction_base& tx, const plan::SeedUser& user) {
    const auto row = tx.exec_params1(
        "with made as (insert into svc.account (email, name, persona, is_admin, verified_at)"
        " values (lower($1), $2, $3, $4, now()) on conflict (email) do nothing returning id)"
        " select id, true from made"
        " union all select id, false from svc.account where email = lower($1) limit 1",
        user.email, user.name, user.persona, user.is_admin);
    SeedRecord out;
    out.id = row[0].c_str();
    out.made = row[1].as<bool>();
    return out;
}

SeedRecord update_user(pqxx::transaction_base& tx, const plan::SeedUser& user,
                       const SeedRecord& old) {
    if (!old.made) return insert_user(tx, user);
    const std::vector<std::string> columns = changed(old.field_hashes, field_hashes_of(user));
    const auto has = [&](const char* column) {
        return std::ranges::find(columns, column) != columns.end();
    };
    tx.exec_params0(
        "update svc.account set email = case when $2 then lower($3) else email end,"
        " name = case when $4 then $5 else name end,"
        " persona = case when $6 then $7 else persona end,"
        " is_admin = case when $8 then $9 else is_admin end,"
        " updated_at = now() where id = $1",
        old.id, has("email"), user.email, has("name"), user.name, has("persona"), user.persona,
        has("is_admin"), user.is_admin);
    return old;
}

}  // namespace svc::migrate
