// The party of a request, for limits that callers share.
#pragma once

#include "db/pool.hpp"
#include "identity/caller.hpp"

namespace svc::data {

// Each user is a party. Guests with the same address are one party. All callers of one address
// count together, except those of a server key, which may act for any number of users.
db::Party party_of(const Caller& caller, const http::Exchange& exchange);

// The settings of a statement that only reads: if the client disconnects, it can be stopped.
inline db::Slow slow_read(const Caller& caller, http::Exchange& exchange) {
    return {.party = party_of(caller, exchange), .client = &exchange};
}

}  // namespace svc::data
