// The caller: the app key, and the user, server or guest who uses it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/pool.hpp"
#include "identity/key_kind.hpp"
#include "svc/app.hpp"

namespace svc {

struct AppKey {
    std::string id;
    KeyKind kind = KeyKind::browser;
    std::vector<std::string> origins;  // {"*"}: any
    // Requests a minute of all keys of its kind; none: as the server is set.
    std::optional<unsigned> per_minute = {};
    // The tools that the key may call beside data (ai.chat, ai.embed, <integration>/<action>,
    // mcp_…), and the models. None: all.
    std::optional<std::vector<std::string>> tools = {}, models = {};

    bool may_call(std::string_view tool) const { return allows(tools, tool); }
    bool may_ask(std::string_view model) const { return allows(models, model); }

  private:
    static bool allows(const std::optional<std::vector<std::string>>& list, std::string_view name) {
        return !list || std::ranges::find(*list, name) != list->end();
    }
};

struct User {
    std::string id;
    std::string email;
    std::string name;
    std::string role;  // persona id
    bool is_admin = false;
    std::optional<std::string> org_id;
    std::string org_role;  // there; empty without one
};

struct Caller {
    std::shared_ptr<const AppKey> key;
    std::optional<User> user;  // none: a guest, or the server itself
    PrincipalSet principals = principal::kGuest;
    std::string names = "guest";  // the same, comma separated, for policies
    std::string claims;           // JSON object for svc.claim, or empty
    std::string persona;          // as claims have it; empty: none
    std::optional<std::string> org_id;
    bool enrol_only = false;     // their session may only enrol a second factor
    std::string session_hash;    // bytea text form \x…, empty: no session to look up
    bool second_factor = false;  // they have shown one in this session

    bool is(PrincipalSet any_of) const { return (principals & any_of) != 0; }
};

// The command that opens every exchange on the data pool: sets the identity that policies read, and
// raises SV401 where the caller's session has ended.
// The caller must outlive the exchange.
class IdentityCommand {
  public:
    explicit IdentityCommand(const Caller& caller);
    db::Command command() const;

  private:
    db::Param params_[4];
};

}  // namespace svc
