#include "auth/session_start.hpp"

#include "auth/answer.hpp"
#include "auth/audit.hpp"

namespace svc::auth {

Task<identity::Result<Started>> start_session(const Call& call, const identity::Account& account,
                                              std::string_view how) {
    const identity::NewSession session(call.in.app, account.user.id);
    const AuditRow noted(call, {.event = "login",
                                .account_id = account.user.id,
                                .email = account.user.email,
                                .detail = how});
    const db::Command commands[] = {session.command(), noted.command()};
    const db::Outcome outcome = co_await call.in.system.run(commands);
    if (!outcome.ok) co_return identity::refusal(outcome);
    answer_signed_in(call, account.user, session.token());
    co_return Started{session.token()};
}

}  // namespace svc::auth
