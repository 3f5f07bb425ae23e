// The words of a caller's SQL, after PostgreSQL's lexical rules. What those rules could read in
// another way than we do is refused: comments, escapes, dollar quotes, a second statement.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/query_text.hpp"

namespace svc::data::sql {

struct SqlToken {
    enum Kind { word, quoted, number, string, param, symbol };
    Kind kind = symbol;
    std::string text;  // of a word in lower case; of what is quoted, what it means; else as it is
    std::size_t at = 0, length = 0;  // in the SQL

    bool names() const { return kind == word || kind == quoted; }
    bool is(std::string_view keyword) const { return kind == word && text == keyword; }
    bool is(char character) const {
        return kind == symbol && text.size() == 1 && text[0] == character;
    }
};

// One symbol a token: operators are not put together. Parentheses match. A semicolon at the end is
// left out.
Result<std::vector<SqlToken>> sql_tokens(std::string_view sql);

}  // namespace svc::data::sql
