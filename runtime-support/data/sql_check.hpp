// What guards of reading and of writing statements have in common.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/sql_guard.hpp"

namespace svc::data {

using Tokens = std::vector<SqlToken>;
inline constexpr std::size_t kNoToken = static_cast<std::size_t>(-1);

// `column_list`: the parenthesis that holds the columns of an insert.
std::optional<Error> check_tokens(const Tokens& tokens, const App& app,
                                  std::size_t column_list = kNoToken);

// A common table expression for each table that is named: it stands before the table itself.
std::string tables(const Tokens& tokens, const App& app, const Caller& caller);

// Without what stands behind the last token.
std::string_view trimmed(std::string_view sql, const Tokens& tokens);

bool is_any(const SqlToken& token, std::initializer_list<std::string_view> keywords);

}  // namespace svc::data
