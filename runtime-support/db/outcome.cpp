#include "base/sql_state.hpp"
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

bool Outcome::lost() const { return base::sqlstate::is_lost(error().sqlstate); }

}  // namespace svc::db
