// Ids that a caller may shorten.
#pragma once

#include <string>

#include "http/dev_request.hpp"

namespace svc::devapi {

// What an id is looked for among.
struct IdsOf {
    const std::string& database;
    const char* rows;  // operate/short_id.hpp
    const char* field;
    std::string what;  // "run"
};

// The whole id, from its first 4 characters or more. One that was given whole is not looked for.
// Empty: there is none with this beginning, or several, and that is answered.
std::string whole_id(const IdsOf& among, const std::string& given, Response& response);

}  // namespace svc::devapi
