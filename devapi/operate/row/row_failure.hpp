// The reason why a row was not written, as the runtime API reports it.
#pragma once

#include <string>
#include <string_view>

#include "operate/app_connection.hpp"

namespace svc::devapi {

// A refusal by svcd, with its SQLSTATE.
SqlFailure row_refused(std::string_view sqlstate, const std::string& message,
                       const std::string& column = {});

// Codes of PostgreSQL stay where the fault is in what was sent.
std::string row_code(const SqlFailure& failure);
std::string row_message(const SqlFailure& failure);

}  // namespace svc::devapi
