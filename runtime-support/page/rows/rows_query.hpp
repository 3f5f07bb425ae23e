// The query of a block: the conditions of its page, and the choices of the visitor.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "page/visit.hpp"

namespace svc::page {

struct RowsQuery {
    std::vector<std::size_t> shown;   // columns
    std::optional<std::size_t> also;  // a column that is needed beside them
    std::string sort;
    bool descending = false;
    bool sorted_by_visitor = false;
    std::string words;                                         // typed into the search box
    std::vector<std::pair<std::size_t, std::string>> choices;  // column and value
    std::string cursor;

    bool narrowed() const { return !words.empty() || !choices.empty(); }
    bool narrowed_or_ordered() const { return narrowed() || sorted_by_visitor || !cursor.empty(); }
    // Leaves what the page itself says.
    void forget();
};

bool sortable(FieldKind kind);
bool holds_words(FieldKind kind);
// True for a field with a few values to choose from.
bool is_filter(const Field& field);
// Columns that the search box looks into. Fields of full-text search come first, because the author
// expects people to search them.
std::vector<std::size_t> searched_columns(const Visit& visit, const Entity& entity);
// The part of a filter that asks for these words, as they stand, in any of the columns.
std::string words_clause(const Entity& entity, const std::vector<std::size_t>& columns,
                         std::string_view words);
// The member of the query for a filter by a column.
std::string filter_name(const Entity& entity, std::size_t column);

// Accepts only columns that the caller may read, and values that the enum has.
RowsQuery read_rows_query(const Visit& visit, const Block& block, std::size_t number);

std::string rows_path(const Entity& entity);
// `select` of what a row's name is made of, and its id.
std::string name_selection(const Visit& visit, const Table& table);
Members rows_members(const Visit& visit, const Block& block, const RowsQuery& query);

// How many rows an answer to `count` says there are: "1,234", "about 12,000"; empty: it does not.
std::string count_words(const Answer& answer);

// The choice of an order, for narrow screens: there a table has no head to click on.
void write_order(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 const RowsQuery& query);
// The same as a form of its own, for tables without other tools.
void write_order_alone(Html& out, const Visit& visit, const Block& block, std::size_t number,
                       const RowsQuery& query);
// The search box, the filters, and the order.
void write_tools(Html& out, const Visit& visit, const Block& block, std::size_t number,
                 const RowsQuery& query);

// "New order", where the caller may create one on a page of its own; else nothing.
Html create_button(const Visit& visit, const Entity& entity, const Block& block,
                   std::string_view look);

// The text of the cell that is the row's link.
std::string lead_words(const Visit& visit, const Entity& entity, std::size_t column,
                       const Json& row);

// created_at as "Created at"; Orders as "orders".
std::string in_words(std::string_view name);
std::string lower_first(std::string_view text);

}  // namespace svc::page
