// Whose a request is, where callers share what is scarce.
#pragma once

#include "db/pool.hpp"
#include "identity/caller.hpp"

namespace svc::data {

// By user if there is one; a guest is its address. All who come from one address count together
// but for a server's, behind which any number of users may stand.
db::Party party_of(const Caller& caller, const http::Exchange& exchange);

// Of what only reads: where the client hangs up, nobody needs it any more.
inline db::Slow slow_read(const Caller& caller, http::Exchange& exchange) {
    return {.party = party_of(caller, exchange), .client = &exchange};
}

}  // namespace svc::data
