#include "operate/row/actor.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include "pipeline.hpp"

namespace svc::devapi {
namespace {

// Names for policies; none if the contract has no such persona.
std::optional<std::string> principals_of(const AppDatabase& database, const std::string& persona) {
    const auto record = read_record(database);
    if (!record) return std::nullopt;
    const auto checked = pipeline::check(record->contract);
    if (!checked.plan) return std::nullopt;
    for (const auto& served : checked.plan->personas)
        if (served.id == persona) return served.names;
    return std::nullopt;
}

struct NamedAccount {
    std::string id, email, persona;
    bool admin = false;
};

std::optional<NamedAccount> account_named(const AppDatabase& database, const std::string& email) {
    pqxx::connection connection(database.admin_url);
    pqxx::read_transaction tx(connection);
    const auto rows = tx.exec_params(
        "select id, email, persona, is_admin from svc.account where email = lower($1) and not "
        "disabled",
        email);
    if (rows.empty()) return std::nullopt;
    return NamedAccount{rows[0][0].c_str(), rows[0][1].c_str(), rows[0][2].c_str(),
                        rows[0][3].as<bool>()};
}

}  // namespace

std::optional<Actor> actor_of(const AppDatabase& database, const std::string& as) {
    if (as.empty() || as == "admin") return Actor{{}, database.sql_url};
    nlohmann::ordered_json claims = {{"isAdmin", false}, {"persona", as}};
    if (const auto names = principals_of(database, as))
        return Actor{{*names, "", claims.dump()}, database.data_url};
    const auto account = account_named(database, as);
    if (!account) return std::nullopt;
    const auto names = principals_of(database, account->persona);
    claims = {
        {"isAdmin", account->admin}, {"persona", account->persona}, {"email", account->email}};
    return Actor{{names.value_or("signed_in"), account->id, claims.dump()}, database.data_url};
}

}  // namespace svc::devapi
