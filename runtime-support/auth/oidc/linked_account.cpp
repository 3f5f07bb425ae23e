#include "auth/oidc/linked_account.hpp"

#include "auth/account_store.hpp"
#include "auth/email.hpp"
#include "auth/messages.hpp"
#include "base/utf8.hpp"
#include "base/uuid.hpp"
#include "identity/command.hpp"
#include "identity/user/personas.hpp"

namespace svc::auth::oidc {
namespace {

constexpr std::string_view kLinked =
    "select a.id::text, a.disabled from svc.identity i join svc.account a on a.id = i.account_id"
    " where i.issuer = $1::text and i.subject = $2::text";

// Credentials that were set before the address was proven are removed (svc.proven_password). $6:
// the persona of a new account, null if none may be made.
constexpr std::string_view kLink =
    "with known as (update svc.account a set verified_at = coalesce(verified_at, now()),"
    " password_hash = svc.proven_password(a)"
    " where email = $3::text and not disabled returning id, disabled),"
    " off as (select id, disabled from svc.account where email = $3::text and disabled),"
    " made as (insert into svc.account (id, email, name, persona, verified_at)"
    " select $4::uuid, $3::text, $5::text, $6::text, now()"
    " where $6::text is not null and not exists (select from known) and not exists (select from "
    "off)"
    " on conflict (email) do nothing returning id, false as disabled),"
    " who as (select * from known union all select * from off union all select * from made),"
    " link as (insert into svc.identity (issuer, subject, account_id)"
    " select $1::text, $2::text, id from who where not disabled on conflict do nothing),"
    " noted as (insert into svc.audit (event, account_id, email, address, detail)"
    " select 'identity_linked', id, $3::text, $7::text, $1::text from who where not disabled)"
    " select id::text, disabled from who";

class AccountId : public db::RowSink {
  public:
    void row(const Row& row) override {
        id = row.text(0);
        disabled = row.text(1) == "t";
    }
    std::string id;
    bool disabled = false;
};

identity::Result<std::string> usable(AccountId&& found) {
    if (found.disabled) return identity::refusal(Code::account_disabled, kAccountDisabled);
    return std::move(found.id);
}

db::Param new_persona(const App& app) {
    if (app.auth.signup != SignupPolicy::open) return std::nullopt;
    const Persona* persona = identity::first_signup_persona(app);
    return persona ? db::Param(persona->id) : db::Param();
}

identity::Refusal not_open(const App& app) {
    return app.auth.signup == SignupPolicy::invite_only
               ? identity::refusal(Code::signup_invite_only, kInvitationNeeded)
               : identity::refusal(Code::signup_disabled, kSignupDisabled);
}

Task<identity::Result<std::string>> link_by_email(const Call& call, const Person& person,
                                                  const std::string& email) {
    AccountId found;
    const std::string id = base::new_uuid();
    const std::string name = base::characters(person.name) > kLongestPersonName ? "" : person.name;
    const db::Param params[] = {
        person.issuer,         person.subject, email, id, name, new_persona(call.in.app),
        call.exchange.remote()};
    const db::Command command = identity::command("svc_identity_link", kLink, params, &found);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (found.id.empty()) co_return not_open(call.in.app);
    co_return usable(std::move(found));
}

}  // namespace

Task<identity::Result<std::string>> account_of(const Call& call, const Person& person) {
    AccountId found;
    const db::Param params[] = {person.issuer, person.subject};
    const db::Command command = identity::command("svc_identity", kLinked, params, &found);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (!found.id.empty()) co_return usable(std::move(found));
    const auto email = normalised_email(person.email);
    if (!email || !person.email_verified)
        co_return identity::refusal(
            Code::email_not_verified,
            "The provider does not confirm an e-mail address for this person.");
    co_return co_await link_by_email(call, person, *email);
}

}  // namespace svc::auth::oidc
