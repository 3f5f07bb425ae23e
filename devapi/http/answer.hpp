// Answers in the form of the developer API, for all servers of its address.
#pragma once

#include <string_view>

#include "http/dev_request.hpp"
#include "http/exchange.hpp"

namespace svc::devapi {

// The path below the developer API's base, or empty if it is not below it.
std::string_view api_path(std::string_view path);

void write(http::Reply& reply, Response& response);  // takes the body

// Answers with the error, in the envelope of the API that the request was for.
void refuse_call(const http::Head& head, const Error& error, http::Reply& reply);

}  // namespace svc::devapi
