// What a log may hold of a failure.
#pragma once

#include <exception>
#include <string>

namespace svc::devapi {

// Of PostgreSQL's errors the code and the message alone: their details quote rows.
std::string log_words(const std::exception& error);

}  // namespace svc::devapi
