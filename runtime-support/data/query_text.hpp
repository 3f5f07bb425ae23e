// SQL that is built at run time: its text comes from compiled tables, and values are only
// parameters.
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <vector>

#include "db/pool.hpp"
#include "http/error.hpp"

namespace svc::data {

template <class T>
using Result = boost::system::result<T, Error>;

inline constexpr std::size_t kManyValues = 100;

struct QueryText {
    std::string sql;
    std::vector<std::string> values;
    std::vector<Type> types;
    std::size_t texts = 0;     // clauses that look into texts, which no index serves
    std::size_t searched = 0;  // those that ask for more than a value itself

    // "$3", standing for `value` from now on.
    std::string bind(std::string value, Type type) {
        values.push_back(std::move(value));
        types.push_back(type);
        return '$' + std::to_string(values.size());
    }
    // True if the query should not run among reads by id: it may have to read a whole table.
    bool is_heavy() const { return texts > 0 || values.size() > kManyValues; }
    // Views into values: no bind() after it.
    std::vector<db::Param> params() const { return {values.begin(), values.end()}; }
};

// 400 PARAMS_INVALID.
inline Error bad_params(std::string message, std::string field = {}) {
    return {Code::params_invalid, std::move(message), std::move(field)};
}

}  // namespace svc::data
