// Features of an entity: full-text search, external rows.
#pragma once

#include <cstddef>
#include <string>

namespace svc::model {

struct SearchField {
    std::size_t field = 0;
    std::string weight = "1";  // as written, above 0
    // PostgreSQL's class of it: A for the greatest weight of the entity, then B, C, D.
    char weight_class = 'A';
};

// A table of another PostgreSQL database.
struct External {
    std::string connection;     // name of the secret that holds its address
    std::string schema, table;  // of the other database
    std::string key;            // its column that identifies rows
};

}  // namespace svc::model
