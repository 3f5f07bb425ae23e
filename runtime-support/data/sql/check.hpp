// What guards of reading and of writing statements have in common.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/sql/guard.hpp"

namespace svc::data::sql {

using Tokens = std::vector<SqlToken>;
inline constexpr std::size_t kNoToken = static_cast<std::size_t>(-1);

// `column_list`: the parenthesis that holds the columns of an insert.
std::optional<Error> check_tokens(const Tokens& tokens, const App& app,
                                  std::size_t column_list = kNoToken);

// Inside the brackets of cast(… as …).
bool in_cast(const Tokens& tokens, std::size_t at);

// Does PostgreSQL take it for the name of a type?
bool names_type(const Tokens& tokens, std::size_t at);
bool may_be_cast_to(const SqlToken& type);

// Is the parenthesis a list of column names behind a common table expression or an alias? Only
// where PostgreSQL's grammar has no function call in its place, whatever the name before it is.
bool names_columns(const Tokens& tokens, std::size_t parenthesis);

// Words that stand behind a call as an alias does.
std::set<std::string, std::less<>> named_results(const Tokens& tokens);

// A common table expression for each table that is named: it stands before the table itself.
std::string tables(const Tokens& tokens, const App& app, const Caller& caller);

// Without what stands behind the last token.
std::string_view trimmed(std::string_view sql, const Tokens& tokens);

bool is_any(const SqlToken& token, std::initializer_list<std::string_view> keywords);

}  // namespace svc::data::sql
