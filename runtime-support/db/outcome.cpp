#include "db/pool.hpp"

namespace svc::db {

const SqlError& Outcome::error() const {
    static const SqlError none;
    return sql_error ? *sql_error : none;
}

SqlError& Outcome::make_error() {
    if (!sql_error) sql_error = std::make_unique<SqlError>();
    return *sql_error;
}

bool Outcome::lost() const {
    const std::string_view state = error().sqlstate;
    return state.starts_with("08") || state == "53300" || state.starts_with("57P");
}

}  // namespace svc::db
