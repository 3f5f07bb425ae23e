// Addresses of pages: /, /orders, /orders/:id.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::model {

// Its pieces without slashes, a parameter with its colon; nothing if it is not a route.
std::optional<std::vector<std::string>> route_pieces(std::string_view route);

// True if the address leads to the route. A piece with a {placeholder} counts as a value.
bool leads_to(std::string_view link, std::string_view route);

}  // namespace svc::model
