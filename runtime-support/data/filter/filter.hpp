// `where` and `filter` of a list as SQL conditions.
#pragma once

#include "data/filter/paths.hpp"
#include "data/query_text.hpp"
#include "json/value.hpp"

namespace svc::data::filter {

struct FilterScope {
    const Entity& entity;
    const ColumnSet& visible;
    std::string_view timezone;  // of days, weeks, months: IANA
    Joins* joins = nullptr;     // tables that paths lead to; null: paths are not allowed

    // Errors are those of Joins::find().
    Result<Named> find(std::string_view name) const;
};

// The condition as SQL, with its values bound in `query`. Empty: no condition. Errors are 400:
// PARAMS_INVALID for a wrong shape, 42703 for an unknown or unreadable column, 22… for a value of
// the wrong type.
Result<std::string> where_condition(const FilterScope& scope, const json::Value& where,
                                    QueryText& query);
Result<std::string> filter_condition(const FilterScope& scope, const json::Value& filter,
                                     QueryText& query);

}  // namespace svc::data::filter
