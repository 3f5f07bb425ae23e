// The query parameters of an aggregate, as the one statement that answers it.
#pragma once

#include <optional>

#include "data/aggregate/metrics.hpp"
#include "data/filter/windows.hpp"
#include "svc/app.hpp"

namespace svc::data::aggregate {

struct AggregateQuery {
    Metrics metrics;
    std::optional<Type> key;               // of groups; none: one value
    std::optional<filter::Bucket> bucket;  // of the key
    bool fill = false;                     // also returns buckets without rows
    bool compare = false;                  // with the period before
    bool windowed = false;                 // a range was named
    Type window_type = Type::timestamp;
    QueryText text;
};

// The columns of each row. There is at least one row, because every row contains the windows.
namespace aggregate_column {
enum : int {
    from,
    to,
    previous_from,
    previous_to,
    first_bucket,  // of the window, of the period before: where filling begins and ends
    last_bucket,
    previous_first_bucket,
    previous_last_bucket,
    found,  // null: there is no group
    current,
    key,
    values,  // a metric each; without a key twice, now and before
};
}

// The most groups of a period in an answer; the statement returns one more.
inline constexpr std::size_t kMostGroups = 1000;

// Errors are 400; `filter`, `where` and `groupBy` also have the errors of Joins::find().
Result<AggregateQuery> read_aggregate_query(const Entity& entity, const ColumnSet& visible,
                                            PrincipalSet principals, const App& app,
                                            std::string_view query);

}  // namespace svc::data::aggregate
