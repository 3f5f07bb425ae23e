#include "identity/caller.hpp"

#include "identity/command.hpp"

namespace svc {
namespace {

constexpr std::string_view kEnter =
    "select svc.enter($1::uuid, $2::text, $3::text, $4::bytea, $5::integer)";

}  // namespace

Entrance::Entrance(const Caller& caller) {
    if (caller.user) params_[0] = caller.user->id;
    params_[1] = caller.names;
    params_[2] = caller.claims;
    if (caller.session_hash.empty()) return;
    params_[3] = caller.session_hash;
    params_[4] = caller.account_version;
}

db::Command Entrance::command() const { return identity::command("svc_enter", kEnter, params_); }

}  // namespace svc
