// What a log may hold of a failure.
#pragma once

#include <exception>
#include <string>

namespace pqxx {
class sql_error;
}

namespace svc::devapi {

// PostgreSQL's message, without the details behind it, which quote rows.
std::string words_of(const pqxx::sql_error& error);

// The same with its code; of other failures what they say.
std::string log_words(const std::exception& error);

}  // namespace svc::devapi
