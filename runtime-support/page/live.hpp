// What a page shows that changes by itself: its script follows these tables and loads the page's
// blocks anew.
#pragma once

#include <string>

#include "page/visit.hpp"

namespace svc::page {

// Tables whose rows stand on the page and have a feed that the visitor may follow: "product order".
std::string live_tables(const Visit& visit);

}  // namespace svc::page
