// The query parameters of a list, as the statements that answer it.
#pragma once

#include <optional>

#include "data/columns.hpp"
#include "data/list/count.hpp"
#include "data/list/cursor.hpp"
#include "data/query_text.hpp"
#include "data/select/selection.hpp"
#include "data/sort.hpp"
#include "svc/app.hpp"

namespace svc::data::list {

struct ListQuery {
    std::size_t limit = 0;  // rows of a page; the statement asks for one more
    QueryText text;
    bool far = false;        // many rows must be skipped
    bool plain = false;      // in the order of an index and with few values, so known to be quick
    bool by_newest = false;  // quick once the index of that order is there (list::WideRows)

    bool by_cursor = false;  // the answer has the form of a page with a cursor
    Order order;
    select::KeptColumns kept;  // what its cursors are made of
    std::string identity;      // the caller and list that its cursors are bound to

    CountMode counting = CountMode::none;
    QueryText count;
};

// Errors are 400. limit: 50 unless given, at most 500.
Result<ListQuery> read_list_query(const Entity& entity, const ColumnSet& visible, const App& app,
                                  std::string_view query, const Cursors& cursors);

}  // namespace svc::data::list
