#include "platform/log_words.hpp"

#include <pqxx/except.hxx>
#include <string_view>

namespace svc::devapi {

std::string words_of(const pqxx::sql_error& error) {
    std::string text = error.what();
    text = text.substr(0, text.find('\n'));
    constexpr std::string_view prefix = "ERROR:";
    if (text.starts_with(prefix)) text = text.substr(text.find_first_not_of(' ', prefix.size()));
    return text;
}

std::string log_words(const std::exception& error) {
    const auto* sql = dynamic_cast<const pqxx::sql_error*>(&error);
    if (!sql) return error.what();
    return sql->sqlstate().empty() ? words_of(*sql) : sql->sqlstate() + ": " + words_of(*sql);
}

}  // namespace svc::devapi
