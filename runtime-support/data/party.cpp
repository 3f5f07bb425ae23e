#include "data/party.hpp"

#include <functional>
#include <string>

#include "http/request/proxy.hpp"

namespace svc::data {

db::Party party_of(const Caller& caller, const http::Exchange& exchange) {
    const bool server = caller.key && caller.key->kind == KeyKind::server;
    const std::string network = http::counted_network(exchange.remote());
    std::string who;
    if (caller.user)
        who = "user " + caller.user->id;
    else
        who.append(server ? "server " + caller.key->id + ' ' : "guest ").append(network);
    const std::hash<std::string_view> hash;
    return {hash(who), server ? 0 : hash(network)};
}

}  // namespace svc::data
