// What is asked of the database about the rows of a page that are of one table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/query_text.hpp"
#include "feed/reader/reader.hpp"

namespace svc::feed {

// `rows`: as an array of JSON. Each row's columns in PostgreSQL's text form, and after them the
// time, since policies may ask for it.
data::QueryText rows_text(const Entity& entity, std::string rows, std::string_view timezone);
// Which filters let each row through: its number, from 0, and "t" or "f" for each filter.
data::QueryText filters_text(const Entity& entity, std::string rows,
                             std::span<const Filter* const> filters);

}  // namespace svc::feed
