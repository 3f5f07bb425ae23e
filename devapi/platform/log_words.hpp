// The text of a failure that may be logged.
#pragma once

#include <exception>
#include <string>

namespace pqxx {
class sql_error;
}

namespace svc::devapi {

// PostgreSQL's message, without the details after it, which quote rows.
std::string words_of(const pqxx::sql_error& error);

// That text with the code; for other failures their own text.
std::string log_words(const std::exception& error);

}  // namespace svc::devapi
