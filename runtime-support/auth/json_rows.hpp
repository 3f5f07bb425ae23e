// Answers whose rows PostgreSQL prints: each statement selects one JSON text for each row.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "auth/context.hpp"

namespace svc::auth {

// The rows, with commas between.
struct JsonRows {
    std::string text;
    std::size_t count = 0;
};
// `beside`: a command that runs in the same transaction. `taken`: the refusal if a value is already
// in use; by default CONFLICT.
Task<identity::Result<JsonRows>> json_rows(const Context& in, std::string_view name,
                                           std::string_view sql, std::span<const db::Param> params,
                                           const db::Command* beside = nullptr,
                                           const identity::Refusal* taken = nullptr);
// As json_rows, but in the name of the call's session (auth/held_session.hpp).
Task<identity::Result<JsonRows>> held_json_rows(const Call& call, std::string_view name,
                                                std::string_view sql,
                                                std::span<const db::Param> params,
                                                const db::Command* beside = nullptr);

// {"ok":true,"<member>":[…]}
void answer_rows(http::Exchange& exchange, std::string_view member, const JsonRows& rows);
// {"ok":true,"<member>":…}; null if there is no row.
void answer_row(http::Exchange& exchange, std::string_view member, const JsonRows& rows);

// Reads ?limit=&offset=. The limit is at most 500, and 50 by default.
struct PageOf {
    std::string limit, offset;
};
identity::Result<PageOf> page_of(const http::Head& head);

}  // namespace svc::auth
