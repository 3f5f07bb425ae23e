// A value, or a refusal of the request.
#pragma once

#include <boost/system/result.hpp>

#include "db/pool.hpp"
#include "http/error.hpp"
#include "http/exchange.hpp"

namespace svc::identity {

struct Refusal {
    Error error;
    unsigned retry_after = 0;  // seconds; 0: the answer has no Retry-After
};

template <class T>
using Result = boost::system::result<T, Refusal>;

Refusal refusal(Code code, std::string message, std::string field = {});
// The refusal for a failed statement of the server itself: 503 if PostgreSQL is unreachable,
// otherwise 500.
Refusal refusal(const db::Outcome& outcome);
// 503: the database cannot be reached.
Refusal unreachable();
// 401: the session does not exist any more.
Refusal session_is_over();

// Writes the refusal as the answer.
void refuse(http::Reply& reply, const Refusal& refusal);

}  // namespace svc::identity
