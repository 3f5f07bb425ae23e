// The metrics of an aggregate: count, sum, avg, min, max.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "data/columns.hpp"
#include "data/ordering.hpp"
#include "data/query_text.hpp"

namespace svc::data::aggregate {

struct Metric {
    enum class Kind : std::uint8_t { count, sum, avg, min, max };
    Kind kind = Kind::count;
    const Column* column = nullptr;  // null: count of rows
    std::string name;                // as it was asked for: count, sum:total
    const Ordering* ordering = &kOwnOrdering;
};

// `metric` with `column`, or `metrics`: several, as count,sum:total. Errors are PARAMS_INVALID.
struct Metrics {
    std::vector<Metric> each;
    bool several = false;
};
Result<Metrics> read_metrics(const Entity& entity, const ColumnSet& visible,
                             std::string_view query);

// The column that a parameter names; PARAMS_INVALID where the caller may not read it.
Result<const Column*> aggregated_column(const Entity& entity, const ColumnSet& visible,
                                        std::string_view name);

// SQL that computes the metric over the rows for which `condition` holds; empty: all rows.
std::string metric_sql(const Metric& metric, const std::string& condition);

// Its value in JSON.
void print_metric(std::string& out, const Metric& metric, const Row& row, int column);
// Its value over no rows.
std::string_view metric_of_nothing(const Metric& metric);

// A value of any column, in JSON.
void print_value(std::string& out, Type type, const Row& row, int column);

}  // namespace svc::data::aggregate

template <>
struct svc::base::Words<svc::data::aggregate::Metric::Kind> {
    static constexpr std::array<std::string_view, 5> kAll = {"count", "sum", "avg", "min", "max"};
};
