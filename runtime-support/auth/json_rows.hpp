// Answers whose rows PostgreSQL prints: statements that select one JSON text a row.
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
// `beside`: what is done with it, or not at all. `taken`: the refusal where a value is taken;
// CONFLICT if there is none.
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

// ?limit=&offset=: at most 500, 50 if it is not said.
struct PageOf {
    std::string limit, offset;
};
identity::Result<PageOf> page_of(const http::Head& head);

}  // namespace svc::auth
