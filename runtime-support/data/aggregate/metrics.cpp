#include "data/aggregate/metrics.hpp"

#include <algorithm>

#include "http/exchange.hpp"

namespace svc::data::aggregate {

namespace {

constexpr std::size_t kMostMetrics = 20;

bool is_numeric(Type type) {
    return type == Type::integer || type == Type::money || type == Type::decimal ||
           type == Type::floating;
}

bool has_order(Type type) {
    return is_numeric(type) || type == Type::text || type == Type::enumeration ||
           type == Type::date || type == Type::time || type == Type::timestamp;
}

std::optional<Error> objection(const Metric& metric, std::string_view kind) {
    const bool adds = metric.kind == Metric::Kind::sum || metric.kind == Metric::Kind::avg;
    const bool orders = metric.kind == Metric::Kind::min || metric.kind == Metric::Kind::max;
    const Type type = metric.column->type;
    if ((!adds || is_numeric(type)) && (!orders || has_order(type))) return std::nullopt;
    Error error = bad_params(std::string(kind) + " works on " +
                             (adds ? "numbers" : "numbers, texts and times") + ", and " +
                             std::string(metric.column->name) + " is none.");
    error.field = metric.column->name;
    return error;
}

struct MetricReader {
    const Entity& entity;
    const ColumnSet& visible;

    Result<Metric> metric(std::string_view kind, std::string_view column) const {
        const auto known = base::read_word<Metric::Kind>(kind);
        if (!known) return bad_params("A metric must be count, sum, avg, min or max.");
        Metric out{*known, nullptr, std::string(kind)};
        if (column.empty() && out.kind == Metric::Kind::count) return out;
        if (column.empty()) return bad_params(out.name + " needs a column.");
        const auto found = aggregated_column(entity, visible, column);
        if (!found) return found.error();
        out.column = *found;
        out.ordering = &ordering_of(entity, **found);
        out.name += ':' + std::string(column);
        if (auto error = objection(out, kind)) return *error;
        return out;
    }

    Result<Metrics> several(std::string_view list) const {
        Metrics out{{}, true};
        while (true) {
            const std::string_view one = list.substr(0, list.find(','));
            const std::size_t colon = std::min(one.find(':'), one.size());
            auto read = metric(one.substr(0, colon), one.substr(std::min(colon + 1, one.size())));
            if (!read) return read.error();
            const auto same = [&](const Metric& other) { return other.name == read->name; };
            if (std::ranges::any_of(out.each, same))
                return bad_params(read->name + " is requested twice.");
            out.each.push_back(std::move(*read));
            if (out.each.size() > kMostMetrics)
                return bad_params("A call may have at most 20 metrics.");
            if (one.size() == list.size()) return out;
            list.remove_prefix(one.size() + 1);
        }
    }
};

}  // namespace

Result<const Column*> aggregated_column(const Entity& entity, const ColumnSet& visible,
                                        std::string_view name) {
    if (const Column* column = readable_column(entity, visible, name)) return column;
    Error error = unknown_column(entity, name);
    error.sqlstate.clear();
    return error;
}

Result<Metrics> read_metrics(const Entity& entity, const ColumnSet& visible,
                             std::string_view query) {
    const http::QueryParam one = http::query_param(query, "metric");
    const http::QueryParam list = http::query_param(query, "metrics");
    const http::QueryParam column = http::query_param(query, "column");
    const MetricReader reader{entity, visible};
    if (one.found && list.found) return bad_params("Send either metric or metrics, not both.");
    if (list.found && column.found)
        return bad_params(
            "column is not allowed beside metrics. Write each column inside metrics: "
            "sum:<column>.");
    if (list.found) return reader.several(list.value);
    auto read = reader.metric(one.value, column.value);
    if (!read) return read.error();
    return Metrics{{std::move(*read)}, false};
}

std::string metric_sql(const Metric& metric, const std::string& condition) {
    const std::string column = metric.column != nullptr ? quoted_name(metric.column->name) : "*";
    const std::string filter = condition.empty() ? "" : " filter (where " + condition + ')';
    const auto call = [&](const char* function, std::string_view collation = {}) {
        return std::string(function) + '(' + column + std::string(collation) + ')' + filter;
    };
    switch (metric.kind) {
        case Metric::Kind::count:
            return call("count");
        case Metric::Kind::sum:
            return "coalesce(" + call("sum") + ", 0)";
        case Metric::Kind::avg:  // of whole and decimal numbers it comes with zeros that say
                                 // nothing
            return metric.column->type == Type::floating ? call("avg")
                                                         : "trim_scale(" + call("avg") + ')';
        case Metric::Kind::min:
            return call("min", metric.ordering->collation);
        case Metric::Kind::max:
            return call("max", metric.ordering->collation);
    }
    return "null";
}

void print_metric(std::string& out, const Metric& metric, const Row& row, int column) {
    const bool ordered = metric.kind == Metric::Kind::min || metric.kind == Metric::Kind::max;
    print_value(out, ordered ? metric.column->type : Type::decimal, row, column);
}

std::string_view metric_of_nothing(const Metric& metric) {
    return metric.kind == Metric::Kind::count || metric.kind == Metric::Kind::sum ? "0" : "null";
}

void print_value(std::string& out, Type type, const Row& row, int column) {
    switch (type) {
        case Type::text:
        case Type::enumeration:
            return write_text(out, "", row, column);
        case Type::integer:
        case Type::money:
            return write_number(out, "", row, column);
        case Type::decimal:
        case Type::floating:
            return write_decimal(out, "", row, column);
        case Type::boolean:
            return write_boolean(out, "", row, column);
        case Type::date:
        case Type::time:
        case Type::uuid:
            return write_plain(out, "", row, column);
        case Type::key:
            return write_key(out, "", row, column);
        case Type::timestamp:
            return write_timestamp(out, "", row, column);
        case Type::tags:
            return write_tags(out, "", row, column);
        case Type::json:
            return write_json(out, "", row, column);
    }
}

}  // namespace svc::data::aggregate
