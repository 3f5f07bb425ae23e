#include "identity/caller.hpp"

#include "identity/command.hpp"

namespace svc {
namespace {

// Local settings end with the exchange: what one request was, the next never is.
constexpr std::string_view kEnter =
    "select set_config('svc.user_id', $1::text, true), set_config('svc.principals', $2::text, "
    "true),"
    " set_config('svc.claims', $3::text, true), svc.require_session($4::bytea)";

}  // namespace

IdentityCommand::IdentityCommand(const Caller& caller) {
    params_[0] = caller.user ? std::string_view(caller.user->id) : std::string_view();
    params_[1] = caller.names;
    params_[2] = caller.claims;
    if (!caller.session_hash.empty()) params_[3] = caller.session_hash;
}

db::Command IdentityCommand::command() const {
    return identity::command("svc_enter", kEnter, params_);
}

}  // namespace svc
