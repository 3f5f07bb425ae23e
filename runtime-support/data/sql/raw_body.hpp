// The body of a server's own SQL.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/query_text.hpp"

namespace svc::data::sql {

struct RawBody {
    std::string sql;
    std::vector<db::Param> params;  // views into `texts`
    std::vector<std::string> texts;
};

// {sql, params?}; PARAMS_INVALID if it is something else.
Result<RawBody> read_raw_body(std::string_view text);

}  // namespace svc::data::sql
