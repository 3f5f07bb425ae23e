#include "auth/link/mailed_link.hpp"

#include "auth/messages.hpp"
#include "identity/command.hpp"

namespace svc::auth::link {
namespace {

constexpr std::string_view kMailedLink =
    "with found as (select id from svc.account where email = $3::text and not disabled"
    " and (verified_at is null or not $5::boolean)),"
    " token as (insert into svc.token (hash, purpose, email, expires_at, account_id) values"
    " ($1::bytea, $2::text, $3::text, now() + make_interval(secs => $4::integer),"
    " (select id from found)) returning account_id is not null as someone)"
    " insert into svc.mail (kind, recipient, subject, body, links, ended_at)"
    " select case when someone then $6::text else '' end, $3::text, $7::text,"
    " case when someone then $8::text else '' end,"
    " case when someone then $9::text[] else '{}' end, case when not someone then now() end"
    " from token";

}  // namespace

identity::Result<void> take_mail(const Call& call, std::string_view email) {
    constexpr std::string_view kMessage = "Too many mails were requested. Try again later.";
    if (auto fit = take_from(call.in.throttles.mail_senders, call.exchange, kMessage); !fit)
        return fit.error();
    return take(call.in.throttles.mails, email, kMessage);
}

Entry entry_of(const Auth& auth) {
    if (auth.password) return Entry::password;
    return auth.magic || auth.passkey ? Entry::sign_in : Entry::none;
}

identity::Refusal no_passwords() { return identity::refusal(Code::not_found, kNoPasswordSignIn); }

Task<Done> mail_link(const Call& call, const LinkKind& kind, std::string_view email) {
    const LinkToken token;
    MailValues values;
    values.app = call.in.app.name;
    values.link = link_to(call.in, kind.path, token.value);
    const Mail mail = compose(call.in.app, kind.mail, values);
    const std::string seconds = std::to_string(kind.seconds);
    const db::Param params[] = {token.hash,
                                base::word(kind.purpose),
                                email,
                                seconds,
                                kind.unverified_only ? "true" : "false",
                                name_of(kind.mail),
                                mail.subject,
                                mail.body,
                                mail.links};
    const db::Command command = identity::command("svc_mailed_link", kMailedLink, params);
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return Done();
}

}  // namespace svc::auth::link
