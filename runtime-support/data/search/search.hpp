// GET /api/v1/search: rows of several tables by their words, the best first.
#pragma once

#include "db/pool.hpp"
#include "http/exchange.hpp"
#include "identity/caller.hpp"
#include "route/handled.hpp"
#include "svc/app.hpp"

namespace svc::data::search {

// The query parameters of a search.
inline constexpr std::string_view kSearchParams[] = {"q", "tables", "limit", "snippets"};

// Answers `q`, `tables`, `limit` and `snippets` of the query string with {"ok":true,"results":[…]}.
// Leaves out tables that the caller may not read, that do not exist, or that have no search.
// Answers nothing if the caller's session has ended.
Task<route::Handled> search(http::Exchange& exchange, const Caller& caller, const App& app,
                            db::Pool& pool);

// The typed words in a form that PostgreSQL reads in bounded time and depth: at most 1,000
// characters, without control characters, and without operators that have no word.
std::string search_words(std::string_view typed);

}  // namespace svc::data::search
