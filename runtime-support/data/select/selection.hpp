// The selection of `select`: columns of an entity, and linked rows, which have columns
// and links themselves.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/query_text.hpp"
#include "svc/entity.hpp"

namespace svc::data::select {

struct Selected {
    std::string name;                    // of the member in JSON
    unsigned column = 0;                 // if it is one: index of the entity's columns
    const Link* link = nullptr;          // else: the rows of this link
    std::size_t most = 1;                // how many of them a row shows at most
    std::vector<Selected> members = {};  // of each of them
    std::string condition = {};          // which of them: SQL that begins with "and"; empty: all
    std::string order = {};              // SQL; empty: by id
};

// `rows` is how many rows the answer may have: the more it has, the fewer rows each link of it
// shows. Errors: 400 PARAMS_INVALID, 42703; 403 TABLE_FORBIDDEN for rows that the caller has no
// grant for.
Result<std::vector<Selected>> read_selection(const Entity& entity, PrincipalSet principals,
                                             std::string_view text, std::size_t rows);

// SQL of a column of linked rows, so many links away, 1 or more.
std::string nested_column(unsigned depth, const Column& column);

// Columns that a statement must return although they were not selected.
struct KeptColumns {
    ColumnSet columns = {};  // of the entity
    unsigned extra = 0;      // how many columns follow the entity's own
};

// The statement `rows`, which gives the entity's columns and perhaps more, narrowed to what was
// selected. Each column keeps its place, and is null if it was not selected. After the columns come
// the selected links, as JSON, in their order.
std::string selecting(const Entity& entity, const std::vector<Selected>& members,
                      const KeptColumns& kept, std::string_view rows);

}  // namespace svc::data::select
