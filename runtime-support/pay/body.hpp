// Bodies of POST /pay/…: {table, id}, and for a checkout {method, returnUrl}.
#pragma once

#include <string>
#include <string_view>

#include "identity/result.hpp"
#include "pay/status.hpp"

namespace svc::pay {

struct Body {
    std::string table, id;
    PayMethod method = PayMethod::offline;
    std::string return_url;  // empty: none
};

// BAD_REQUEST where the table or the id is missing, PARAMS_INVALID where the shape is wrong,
// ORDER_NOT_FOUND where the id can be none.
identity::Result<Body> read_body(std::string_view text);

}  // namespace svc::pay
