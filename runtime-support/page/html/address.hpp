// Addresses of pages: which may be followed, how they are put together, which page they lead to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "svc/page.hpp"

namespace svc::page {

// A path of this app alone, with or without a query: "/orders?x=1". Not "//host", nothing with a
// backslash, a control character or a scheme.
bool is_local(std::string_view address);
// The same, or http, https, mailto, tel with something after it.
bool leads_somewhere(std::string_view address);

// Members of a query or a form, in their order, decoded; broken UTF-8 is replaced.
class Members {
  public:
    // Reads at most so many members, and leaves out the rest.
    static Members read(std::string_view encoded);

    const std::string* find(std::string_view name) const;  // null: none
    std::string_view text(std::string_view name) const;    // empty: none
    bool has(std::string_view name) const { return find(name) != nullptr; }
    void set(std::string_view name, std::string_view value);
    void remove(std::string_view name);
    const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }
    // Encoded, without a question mark.
    std::string encoded() const;

  private:
    std::vector<std::pair<std::string, std::string>> all_;
};

// The parameters of a route where a path leads to it: /orders/:id and /orders/7.
using RouteParams = std::vector<std::pair<std::string_view, std::string>>;
std::optional<RouteParams> match_route(std::string_view route, std::string_view path);

// "/order/<id>" with the id in its place.
std::string row_address(std::string_view route, std::string_view id);

}  // namespace svc::page
