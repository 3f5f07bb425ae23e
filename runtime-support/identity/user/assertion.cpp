#include "identity/user/assertion.hpp"

#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "identity/command.hpp"
#include "identity/user/personas.hpp"

namespace svc::identity {
namespace {

// Short, since nothing looks an asserted account up again in the statement's round trip.
constexpr std::chrono::seconds kGoodFor{3};
constexpr std::size_t kRemembered = 10'000;

constexpr std::string_view kAccountById =
    "select id::text, email, name, persona, is_admin, password_hash, disabled,"
    " verified_at is not null from svc.account where id = $1::uuid";

Refusal unknown_user() {
    return refusal(Code::params_invalid,
                   "The header x-svc-app-user does not name an account of this app.");
}

Refusal unknown_role() {
    return refusal(
        Code::params_invalid,
        "The header x-svc-app-role does not name a persona or an organisation role of this app.");
}

constexpr std::string_view kOrgRole = "org:";

// "clerk", "org:admin" or both with a comma between: the persona stays in `asserted.role`, the
// organisation's role is taken off it.
std::string_view take_org_role(Assertion& asserted) {
    const auto at = asserted.role.find(kOrgRole);
    if (at == std::string_view::npos || (at > 0 && asserted.role[at - 1] != ',')) return {};
    const std::string_view role = asserted.role.substr(at + kOrgRole.size());
    asserted.role = asserted.role.substr(0, at > 0 ? at - 1 : 0);
    return role;
}

}  // namespace

Assertion assertion(const http::Head& head) {
    return {head.header("x-svc-app-user"), head.header("x-svc-app-role"),
            head.header("x-svc-app-org")};
}

AssertedCallers::AssertedCallers(const App& app, db::Pool& system)
    : app_(app), system_(system), recent_(kRemembered, kGoodFor) {}

Task<Result<Caller>> AssertedCallers::resolve(Assertion asserted, Cached cached) {
    const std::string_view org_role = take_org_role(asserted);
    if (!asserted.org.empty() && !base::is_uuid(asserted.org))
        co_return refusal(Code::params_invalid,
                          "The header x-svc-app-org is not an organisation id.");
    if (!org_role.empty() && asserted.org.empty())
        co_return refusal(
            Code::params_invalid,
            "An organisation role in x-svc-app-role also needs the header x-svc-app-org.");
    Result<Caller> caller = co_await resolve_persona(asserted, cached);
    if (!caller || org_role.empty()) co_return caller;
    if (!add_org_role(app_, org_role, *caller)) co_return unknown_role();
    co_return caller;
}

Task<Result<Caller>> AssertedCallers::resolve_persona(Assertion asserted, Cached cached) {
    const Persona* persona = find_persona(app_, asserted.role);
    if (!asserted.role.empty() && !persona) co_return unknown_role();
    if (!asserted.user.empty()) co_return co_await resolve_user(asserted, cached);
    std::optional<std::string> org;
    if (!asserted.org.empty()) org = base::lower(asserted.org);
    co_return persona ? persona_caller(*persona, org) : server_caller(org);
}

Task<Result<Caller>> AssertedCallers::resolve_user(Assertion asserted, Cached cached) {
    if (!base::is_uuid(asserted.user)) co_return unknown_user();
    const auto found = co_await account(base::lower(asserted.user), cached);
    if (!found) co_return found.error();
    if (!*found) co_return unknown_user();
    const Account& account = **found;
    if (account.disabled)
        co_return refusal(Code::account_disabled, "The account in x-svc-app-user is disabled.");

    User user = account.user;
    if (!asserted.role.empty()) user.role = asserted.role;
    if (!asserted.org.empty()) user.org_id = base::lower(asserted.org);
    co_return user_caller(app_, std::move(user));
}

Task<Result<std::shared_ptr<const Account>>> AssertedCallers::account(std::string id,
                                                                      Cached cached) {
    if (cached == Cached::yes)
        if (auto known = recent_.find(id)) co_return known;
    AccountRow row;
    const db::Param params[] = {id};
    const db::Command command = identity::command("svc_account_by_id", kAccountById, params, &row);
    const db::Outcome outcome = co_await system_.run({&command, 1});
    if (!outcome.ok) co_return refusal(outcome);
    if (!row.account) co_return std::shared_ptr<const Account>();
    auto account = std::make_shared<const Account>(std::move(*row.account));
    // A disabled one is asked for again each time: it may be enabled again at any moment.
    if (!account->disabled) recent_.put(id, account);
    co_return account;
}

}  // namespace svc::identity
