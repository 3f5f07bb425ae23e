// Sessions of signed-in users: svc.session, with a cache of recent ones. The cache is only a hint:
// svc.require_session() looks the session up again in the statement's own round trip.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/sha256.hpp"
#include "db/pool.hpp"
#include "identity/caller.hpp"
#include "identity/result.hpp"
#include "identity/token.hpp"
#include "identity/user/account.hpp"
#include "identity/user/cache.hpp"

namespace svc::identity {

class SessionStore {
  public:
    // A Caller without key; null: no such session, or it has ended.
    using Found = std::shared_ptr<const Caller>;

    SessionStore(asio::io_context& io, const App& app, db::Pool& system);

    // May be up to a minute old.
    Task<Result<Found>> resolve(std::string_view token);
    // Reads the session from the database, without the cache.
    Task<Result<Found>> read(std::string_view token);
    // As read, by Caller::session_hash.
    Task<Result<Found>> read_by_hash(std::string session_hash);
    // Removes the session of this Caller (Caller::session_hash) from the cache.
    void forget(std::string_view session_hash);

    // Ends the session. No error if there is no such session.
    Task<Result<void>> end(std::string_view token);

  private:
    Task<Result<Found>> read(const base::Digest& digest);
    void note_use(const std::string& hash);

    asio::io_context& io_;
    const App& app_;
    db::Pool& system_;
    const std::string idle_seconds_, max_seconds_;
    Cache<base::Digest, Caller, base::DigestHash> recent_;
};

// The statement that begins a session of an account, to run on the system pool. It also deletes the
// account's expired sessions. If the account changed after its owner was verified, for example its
// password, the statement changes nothing and returns no row. Must outlive the exchange.
class NewSession {
  public:
    // Tokens of the sessions that came with the sign-in, or empty. The new session always replaces
    // that of the cookie. It replaces that of the header only if it belongs to the same account: a
    // program that acts for many accounts keeps its other sessions.
    struct Replaced {
        std::string_view cookie, header;
    };
    // `second_factor`: the owner has shown a second factor, or does not need one.
    NewSession(const App& app, const Account& account, bool second_factor,
               const Replaced& replaced);
    NewSession(const NewSession&) = delete;  // its parameters are views into itself
    NewSession& operator=(const NewSession&) = delete;
    const std::string& token() const { return token_; }
    db::Command command() const;

  private:
    const std::string_view second_factor_;
    std::string token_, hash_, account_id_, persona_, password_hash_, idle_seconds_, max_seconds_;
    std::string old_cookie_, old_header_;
    db::Param params_[9];
};

}  // namespace svc::identity
