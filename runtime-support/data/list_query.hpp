// The query parameters of a list, as the statement that answers it.
#pragma once

#include "data/columns.hpp"
#include "data/query_text.hpp"
#include "svc/app.hpp"

namespace svc::data {

struct ListQuery {
    std::size_t limit = 0;  // of the page; the statement asks for one row more
    bool first = false;     // no condition, sort or offset: Entity::first answers it
    QueryText text;         // where it is not
};

// Errors are 400. limit: 50 unless given, at most 500.
Result<ListQuery> read_list_query(const Entity& entity, const ColumnSet& visible, const App& app,
                                  std::string_view query);

}  // namespace svc::data
