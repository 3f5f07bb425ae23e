// Rows as a table or as cards.
#pragma once

#include "page/rows/rows_query.hpp"

namespace svc::page {

// Writes a table with links in its head that sort it.
void write_table(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 const RowsQuery& query, const std::vector<Json>& rows);
// Writes the result of a named query, of whose columns only the names are known.
void write_query_table(Html& out, const Visit& visit, const Block& block, const Answer& answer);
// What a card has beside its row.
struct CardPart {
    Html below = {};
    bool focused = false;  // the page opens with the focus there
};
void write_card(Html& out, const Visit& visit, const Block& block, const RowsQuery& query,
                const Json& row, const CardPart& part = {});

// The address of a row's link; empty: none.
std::string link_of(const Visit& visit, const Block& block, const Json& row);
// The column that stands for the row: where its link is.
std::size_t lead_column(const Visit& visit, const Entity& entity,
                        const std::vector<std::size_t>& shown);

}  // namespace svc::page
