// Bodies of forms that a browser sends: application/x-www-form-urlencoded.
#pragma once

#include <initializer_list>
#include <string_view>

#include "auth/body.hpp"
#include "http/exchange.hpp"

namespace svc::auth {

bool is_form(const http::Head& head);

// Reads a form as read_texts reads JSON.
identity::Result<Texts> read_form(std::string_view body,
                                  std::initializer_list<std::string_view> wanted);

}  // namespace svc::auth
