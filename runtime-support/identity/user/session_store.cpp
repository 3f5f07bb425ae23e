#include "identity/user/session_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>

#include "base/sha256.hpp"
#include "identity/command.hpp"
#include "identity/user/personas.hpp"

namespace svc::identity {
namespace {

constexpr std::size_t kSessionsKept = 50'000;
constexpr std::chrono::seconds kSessionGoodFor{60};

constexpr std::string_view kRead =
    "select a.id::text, a.email, a.name, a.persona, a.is_admin, m.org_id::text,"
    " s.last_used_at < now() - interval '1 minute', m.role, s.second_factor"
    " from svc.session s join svc.account a on a.id = s.account_id"
    " left join svc.member m on m.org_id = s.org_id and m.account_id = s.account_id"
    " where s.hash = $1::bytea and s.expires_at > now() and not a.disabled"
    " and s.last_used_at > now() - make_interval(secs => $2::bigint)"
    " and s.created_at > now() - make_interval(secs => $3::bigint)";

constexpr std::string_view kUsed =
    "update svc.session set last_used_at = now()"
    " where hash = $1::bytea and last_used_at < now() - interval '1 minute'";

constexpr std::string_view kEnd = "delete from svc.session where hash = $1::bytea";

constexpr std::string_view kBegin =
    "with ended as (delete from svc.session where account_id = $2::uuid and (expires_at <= now()"
    " or last_used_at <= now() - make_interval(secs => $3::bigint))),"
    " begun as (insert into svc.session (hash, account_id, expires_at, second_factor)"
    " select $1::bytea, id, now() + make_interval(secs => $4::bigint), $7::boolean from "
    "svc.account"
    " where id = $2::uuid and not disabled and persona = $5::text"
    " and coalesce(password_hash, '') = $6::text for share returning 1),"
    " replaced as (delete from svc.session where exists (select from begun)"
    " and (hash = $8::bytea or (hash = $9::bytea and account_id = $2::uuid)))"
    " select 1 from begun";

class SessionRow : public db::RowSink {
  public:
    void row(const Row& row) override {
        found = true;
        user.id = row.text(0);
        user.email = row.text(1);
        user.name = row.text(2);
        user.role = row.text(3);
        user.is_admin = row.text(4) == "t";
        if (!row.null(5)) user.org_id = row.text(5);
        use_unnoted = row.text(6) == "t";
        user.org_role = row.text(7);
        second_factor = row.text(8) == "t";
    }

    bool found = false;
    User user;
    bool use_unnoted = false;
    bool second_factor = false;
};

std::string session_hash(std::string_view token) {
    return has_token_shape(token, kSessionPrefix) ? bytea_text(base::sha256(token)) : std::string();
}

db::Param or_null(const std::string& text) { return text.empty() ? db::Param() : db::Param(text); }

// In the background, and without consequence if it fails: the next minute writes it again.
Task<> write_use(db::Pool& system, std::string hash) {
    const db::Param params[] = {hash};
    const db::Command command = identity::command("svc_session_used", kUsed, params);
    co_await system.run({&command, 1});
}

}  // namespace

SessionStore::SessionStore(asio::io_context& io, const App& app, db::Pool& system)
    : io_(io),
      app_(app),
      system_(system),
      idle_seconds_(std::to_string(app.auth.session_idle)),
      max_seconds_(std::to_string(app.auth.session_max)),
      recent_(kSessionsKept, kSessionGoodFor) {}

Task<Result<SessionStore::Found>> SessionStore::resolve(std::string_view token) {
    if (!has_token_shape(token, kSessionPrefix)) co_return Found();
    const base::Digest digest = base::sha256(token);
    if (Found found = recent_.find(digest)) co_return found;
    co_return co_await read(digest);
}

Task<Result<SessionStore::Found>> SessionStore::read(std::string_view token) {
    if (!has_token_shape(token, kSessionPrefix)) co_return Found();
    co_return co_await read(base::sha256(token));
}

Task<Result<SessionStore::Found>> SessionStore::read_by_hash(std::string session_hash) {
    const auto digest = digest_of(session_hash);
    if (!digest) co_return Found();
    co_return co_await read(*digest);
}

Task<Result<SessionStore::Found>> SessionStore::read(const base::Digest& digest) {
    const std::string hash = bytea_text(digest);
    SessionRow session;
    const db::Param params[] = {hash, idle_seconds_, max_seconds_};
    const db::Command command = identity::command("svc_session", kRead, params, &session);
    const db::Outcome outcome = co_await system_.run({&command, 1});
    if (!outcome.ok) co_return refusal(outcome);
    if (!session.found) {
        recent_.erase(digest);
        co_return Found();
    }
    if (session.use_unnoted) note_use(hash);

    auto caller = std::make_shared<Caller>(user_caller(app_, std::move(session.user)));
    caller->session_hash = hash;
    caller->second_factor = session.second_factor;
    // By the present contract, not by the one at the session's begin.
    caller->enrol_only = !session.second_factor && needs_second_factor(app_, caller->user->role);
    // A session that may only enrol is not cached: it may do everything as soon as it has enrolled,
    // on every server.
    if (!caller->enrol_only) recent_.put(digest, caller);
    co_return Found(std::move(caller));
}

void SessionStore::note_use(const std::string& hash) {
    asio::co_spawn(io_, write_use(system_, hash), asio::detached);
}

void SessionStore::forget(std::string_view session_hash) {
    if (const auto digest = digest_of(session_hash)) recent_.erase(*digest);
}

Task<Result<void>> SessionStore::end(std::string_view token) {
    if (!has_token_shape(token, kSessionPrefix)) co_return Result<void>();
    const base::Digest digest = base::sha256(token);
    const std::string hash = bytea_text(digest);
    const db::Param params[] = {hash};
    const db::Command command = identity::command("svc_session_end", kEnd, params);
    const db::Outcome outcome = co_await system_.run({&command, 1});
    recent_.erase(digest);
    if (!outcome.ok) co_return refusal(outcome);
    co_return Result<void>();
}

NewSession::NewSession(const App& app, const Account& account, bool second_factor,
                       const Replaced& replaced)
    : second_factor_(second_factor ? "true" : "false"),
      token_(random_token(kSessionPrefix)),
      hash_(bytea_text(base::sha256(token_))),
      account_id_(account.user.id),
      persona_(account.user.role),
      password_hash_(account.password_hash),
      idle_seconds_(std::to_string(app.auth.session_idle)),
      max_seconds_(std::to_string(app.auth.session_max)),
      old_cookie_(session_hash(replaced.cookie)),
      old_header_(session_hash(replaced.header)),
      params_{hash_,          account_id_,    idle_seconds_,        max_seconds_,        persona_,
              password_hash_, second_factor_, or_null(old_cookie_), or_null(old_header_)} {}

db::Command NewSession::command() const {
    return identity::command("svc_session_begin", kBegin, params_);
}

}  // namespace svc::identity
