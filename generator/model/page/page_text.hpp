// Texts with {placeholders} in pages: what the browser fills in from the caller, the page's address
// and a row.
#pragma once

#include <optional>
#include <string>

#include "model/parts.hpp"

namespace svc::model {

struct PageScope {
    Work work;
    const Page& page;
    std::optional<std::size_t> entity;  // the entity of bare names; none: there is no row
    bool any_row = false;               // bare names are columns of a query, known later
};

// Finding BAD_TEMPLATE for braces, UNKNOWN_FIELD for names that mean nothing here.
PageText read_page_text(const PageScope& scope, const contract::Text& text);
// A string with a brace is a template; any other value means itself.
PageValue read_page_value(const PageScope& scope, const contract::Value& value);
bool has_placeholders(const contract::Value& value);

// A field of the entity or a column that the compiler makes; finding UNKNOWN_FIELD.
std::optional<Column> resolve_column(Work work, std::size_t entity, const contract::Text& name);
FieldType column_type(const Model& model, std::size_t entity, const Column& column);

// Checks that a page of the app has this route; placeholders of a template count as parameters.
// Finding UNKNOWN_ROUTE. Whole https addresses are not checked.
void check_link(Work work, const contract::Text& link);

}  // namespace svc::model
