#include "identity/assertion.hpp"

#include "http/text.hpp"
#include "identity/personas.hpp"

namespace svc::identity {
namespace {

// Short, since nothing looks an asserted account up again in the statement's round trip.
constexpr std::chrono::seconds kGoodFor{3};
constexpr std::size_t kRemembered = 10'000;

constexpr std::string_view kAccountById =
    "select id::text, email, name, persona, is_admin, version::text, password_hash, disabled,"
    " verified_at is not null from svc.account where id = $1::uuid";

bool is_uuid(std::string_view text) {
    if (text.size() != 36) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        const char c = http::lower(text[i]);
        if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
    }
    return true;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = http::lower(c);
    return out;
}

Refusal unknown_user() {
    return refusal(Code::params_invalid, "The header x-svc-app-user names no account of this app.");
}

Refusal unknown_role() {
    return refusal(Code::params_invalid, "The header x-svc-app-role names no persona of this app.");
}

}  // namespace

Assertion assertion(const http::Head& head) {
    return {head.header("x-svc-app-user"), head.header("x-svc-app-role"),
            head.header("x-svc-app-org")};
}

AssertedCallers::AssertedCallers(const App& app, db::Pool& system)
    : app_(app), system_(system), recent_(kRemembered, kGoodFor) {}

Task<Result<Caller>> AssertedCallers::resolve(Assertion asserted) {
    const Persona* persona = find_persona(app_, asserted.role);
    if (!asserted.role.empty() && !persona) co_return unknown_role();
    if (!asserted.org.empty() && !is_uuid(asserted.org))
        co_return refusal(Code::params_invalid, "The header x-svc-app-org is no organisation id.");
    if (!asserted.user.empty()) co_return co_await resolve_user(asserted);

    std::optional<std::string> org;
    if (!asserted.org.empty()) org = lower(asserted.org);
    co_return persona ? persona_caller(*persona, org) : server_caller(org);
}

Task<Result<Caller>> AssertedCallers::resolve_user(Assertion asserted) {
    if (!is_uuid(asserted.user)) co_return unknown_user();
    const auto found = co_await account(lower(asserted.user));
    if (!found) co_return found.error();
    if (!*found) co_return unknown_user();
    const Account& account = **found;
    if (account.disabled)
        co_return refusal(Code::account_disabled, "The account in x-svc-app-user is disabled.");

    User user = account.user;
    if (!asserted.role.empty()) user.role = asserted.role;
    if (!asserted.org.empty()) user.org_id = lower(asserted.org);
    co_return user_caller(app_, std::move(user));
}

Task<Result<std::shared_ptr<const Account>>> AssertedCallers::account(std::string id) {
    if (auto known = recent_.find(id)) co_return known;
    AccountRow row;
    const db::Param params[] = {id};
    const db::Command command{{"svc_account_by_id", kAccountById, {}}, params, &row};
    const db::Outcome outcome = co_await system_.run({&command, 1});
    if (!outcome.ok) co_return refusal(outcome);
    if (!row.account) co_return std::shared_ptr<const Account>();
    auto account = std::make_shared<const Account>(std::move(*row.account));
    recent_.put(id, account);
    co_return account;
}

}  // namespace svc::identity
