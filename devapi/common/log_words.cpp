#include "common/log_words.hpp"

#include <pqxx/except.hxx>

#include "migrate/refusal.hpp"

namespace svc::devapi {

std::string log_words(const std::exception& error) {
    const auto* sql = dynamic_cast<const pqxx::sql_error*>(&error);
    if (!sql) return error.what();
    const migrate::SqlError told = migrate::read_error(*sql);
    return told.state.empty() ? told.message : told.state + ": " + told.message;
}

}  // namespace svc::devapi
