// Idempotency-Key: a repeated request writes once and gets the first answer again. The answer is
// recorded in the transaction of the write.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "data/query_text.hpp"
#include "db/pool.hpp"
#include "http/exchange.hpp"
#include "identity/caller.hpp"

namespace svc::data::write {

struct IdempotencyKey {
    std::string key;      // of a guest with their request and address
    std::string request;  // SHA-256 of route and body, in the text form of bytea
};
// None without the header. Refuses with 400 if the value is not a key.
Result<std::optional<IdempotencyKey>> read_idempotency_key(const http::Exchange& exchange,
                                                           const Caller& caller);

// The input of a write.
struct WriteContext {
    http::Exchange& exchange;
    const Caller& caller;
    db::Pool& pool;
    const std::optional<IdempotencyKey>& idempotency_key;
    bool authored = false;  // SQL that a developer wrote, which may take long
};

// Gets the number of rows of the last command, as in db::Outcome.
using Finish = std::function<void(std::size_t rows)>;

// Runs the commands as the caller, in one transaction. `finish` completes the reply once they have
// succeeded: with a key before the transaction ends, so what it writes is recorded with it. Where
// the key's request was answered before, nothing runs and the reply is the one that was recorded.
// `failed` of the outcome counts `commands`; kNone: none of them.
Task<db::Outcome> commit(const WriteContext& context, std::span<const db::Command> commands,
                         const Finish& finish);

}  // namespace svc::data::write
