// An entity's external rows.
#pragma once

#include <string>

#include "contract/text.hpp"

namespace svc::contract {

struct External {
    Text kind, connection, table, key;
    std::string path;
};

}  // namespace svc::contract
