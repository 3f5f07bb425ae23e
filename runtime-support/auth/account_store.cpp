#include "auth/account_store.hpp"

#include "base/sql_state.hpp"
#include "identity/command.hpp"

namespace svc::auth {
namespace {

constexpr std::string_view kFind =
    "select id::text, email, name, persona, is_admin, password_hash, disabled,"
    " verified_at is not null from svc.account where email = $1::text";

constexpr std::string_view kAdd =
    "insert into svc.account (id, email, name, password_hash, persona)"
    " values ($1::uuid, $2::text, $3::text, nullif($4::text, ''), $5::text)";

}  // namespace

Task<identity::Result<std::optional<identity::Account>>> AccountStore::find(
    std::string_view email) {
    identity::AccountRow row;
    const db::Param params[] = {email};
    const db::Command command = identity::command("svc_account_by_email", kFind, params, &row);
    const db::Outcome outcome = co_await system_.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return std::move(row.account);
}

Task<identity::Result<Added>> AccountStore::add(const NewAccount& account,
                                                const db::Command& beside) {
    const db::Param params[] = {account.id, account.email, account.name, account.password_hash,
                                account.persona};
    const db::Command commands[] = {identity::command("svc_account_add", kAdd, params), beside};
    const db::Outcome outcome = co_await system_.run(commands);
    if (outcome.ok) co_return Added::yes;
    if (outcome.error().sqlstate == base::sqlstate::kTaken) co_return Added::no;
    co_return identity::refusal(outcome);
}

}  // namespace svc::auth
