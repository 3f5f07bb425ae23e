#include "operate/hook_secret.hpp"

#include <pqxx/pqxx>

#include "identity/secret/sealer.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kRead =
    "select h.secret, h.scheme, coalesce(o.sealed, '') from svc.hook_in h left join"
    " svc.hook_secret o on h.secret = '' and o.hook = h.name and o.until is null"
    " where h.name = $1";
constexpr const char* kMake =
    "insert into svc.hook_secret (hook, sealed) values ($1, $2) on conflict do nothing";

identity::Sealer sealer_of(const std::string& secret) { return {secret, "hook"}; }

}  // namespace

std::optional<HookSecret> hook_secret(const std::string& database, const std::string& secret,
                                      const std::string& name) {
    pqxx::connection connection(database);
    pqxx::work tx(connection);
    auto rows = tx.exec_params(kRead, name);
    if (rows.empty()) return std::nullopt;
    const auto scheme = base::read_word<hook::Scheme>(rows[0][1].c_str());
    HookSecret out{rows[0][0].c_str(), scheme.value_or(hook::Scheme::svc), {}};
    if (!out.named.empty() || out.scheme == hook::Scheme::none) return out;
    const identity::Sealer sealer = sealer_of(secret);
    if (rows[0][2].size() == 0) {
        tx.exec_params0(kMake, name, sealer.seal(hook::new_secret()));
        rows = tx.exec_params(kRead, name);
        tx.commit();
    }
    out.value = sealer.unseal(rows[0][2].c_str()).value_or("");
    return out;
}

std::string replace_hook_secret(const std::string& database, const std::string& secret,
                                const std::string& name) {
    pqxx::connection connection(database);
    pqxx::work tx(connection);
    std::string value = hook::new_secret();
    tx.exec_params("select svc.replace_hook_secret($1, $2)", name, sealer_of(secret).seal(value));
    tx.commit();
    return value;
}

}  // namespace svc::devapi
