#include "data/party.hpp"

#include <functional>
#include <string>

namespace svc::data {

db::Party party_of(const Caller& caller, const http::Exchange& exchange) {
    const bool server = caller.key && caller.key->kind == KeyKind::server;
    std::string who;
    if (caller.user)
        who = "user " + caller.user->id;
    else
        who.append(server ? "server " + caller.key->id : "guest").append(exchange.remote());
    const std::hash<std::string_view> hash;
    return {hash(who), server ? 0 : hash(exchange.remote())};
}

}  // namespace svc::data
