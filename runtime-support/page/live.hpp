// The tables whose changes a page shows: its script follows them and loads the page's blocks
// again.
#pragma once

#include <string>

#include "page/visit.hpp"

namespace svc::page {

// Tables whose rows stand on the page and have a feed that the visitor may follow: "product order".
std::string live_tables(const Visit& visit);

}  // namespace svc::page
