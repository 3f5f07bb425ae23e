#include "data/aggregate/answer.hpp"

#include <chrono>
#include <cstdio>

#include "base/json_text.hpp"
#include "data/envelope.hpp"
#include "svc/clock.hpp"

namespace svc::data::aggregate {

namespace {

namespace column = aggregate_column;

Day after(Day day, filter::Bucket bucket) {
    if (bucket == filter::Bucket::day) return {day.days + 1};
    if (bucket == filter::Bucket::week) return {day.days + 7};
    const std::chrono::sys_days begin{std::chrono::days{day.days}};
    const std::chrono::sys_days next = std::chrono::year_month_day(begin) + std::chrono::months{1};
    return {static_cast<std::int32_t>(next.time_since_epoch().count())};
}

std::string iso(Day day) {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day.days}}};
    char text[32];
    std::snprintf(text, sizeof text, "\"%04d-%02u-%02u\"", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    return text;
}

// None for infinity and years of more than four digits: nothing is filled towards them.
std::optional<Day> plain_day(const Row& row, int at) {
    if (row.null(at) || row.text(at).size() != 10) return {};
    const Maybe<Day> read = day(row.text(at));
    return read.known() ? std::optional(*read) : std::nullopt;
}

std::string window(const Row& row, Type type, int from, int to) {
    std::string out = R"({"from":)";
    print_value(out, type, row, from);
    out += R"(,"to":)";
    print_value(out, type, row, to);
    return out + '}';
}

}  // namespace

void AggregateAnswer::row(const Row& row) {
    if (!begun_) windows(row);
    begun_ = true;
    if (row.null(column::found)) return;
    if (!query_.key) {
        value_ = values(row, column::values);
        const int next = column::values + static_cast<int>(query_.metrics.each.size());
        if (query_.compare) previous_ = values(row, next);
        return;
    }
    Series& series = row.text(column::current) == "t" ? now_ : before_;
    if (query_.fill) {
        const std::optional<Day> key = plain_day(row, column::key);
        if (key) fill(series, *key);
        if (key) series.next = after(*key, *query_.bucket);
        if (row.null(column::key)) end(series);
    }
    std::string key;
    print_value(key, *query_.key, row, column::key);
    group(series, key, values(row, column::values));
}

void AggregateAnswer::windows(const Row& row) {
    window_ = previous_window_ = "null";
    if (!query_.windowed) return;
    window_ = window(row, query_.window_type, column::from, column::to);
    previous_window_ =
        row.null(column::previous_from)
            ? "null"
            : window(row, query_.window_type, column::previous_from, column::previous_to);
    now_.next = plain_day(row, column::first_bucket);
    now_.last = plain_day(row, column::last_bucket);
    before_.next = plain_day(row, column::previous_first_bucket);
    before_.last = plain_day(row, column::previous_last_bucket);
}

// Several metrics are printed by their names, a single one as its value.
template <class Print>
std::string AggregateAnswer::each_metric(Print print) const {
    std::string out;
    for (const Metric& metric : query_.metrics.each) {
        if (query_.metrics.several) {
            out += out.empty() ? '{' : ',';
            base::append_json_utf8(out, metric.name);
            out += ':';
        }
        print(out, metric);
    }
    return query_.metrics.several ? out + '}' : out;
}

std::string AggregateAnswer::values(const Row& row, int first) const {
    return each_metric(
        [&](std::string& out, const Metric& metric) { print_metric(out, metric, row, first++); });
}

std::string AggregateAnswer::nothing() const {
    return each_metric(
        [](std::string& out, const Metric& metric) { out += metric_of_nothing(metric); });
}

void AggregateAnswer::group(Series& series, const std::string& key, const std::string& values) {
    const bool full = series.count == kMostGroups || series.groups.size() > kMostBytes;
    if (full) series.truncated = true;
    if (series.truncated) return;
    ++series.count;
    series.groups += series.groups.empty() ? R"({"key":)" : R"(,{"key":)";
    series.groups += key;
    series.groups += query_.metrics.several ? R"(,"values":)" : R"(,"value":)";
    series.groups += values + '}';
}

// Buckets without rows before `until`.
void AggregateAnswer::fill(Series& series, Day until) {
    while (series.next && *series.next < until && !series.truncated) {
        group(series, iso(*series.next), nothing());
        series.next = after(*series.next, *query_.bucket);
    }
}

void AggregateAnswer::end(Series& series) {
    if (series.last) fill(series, after(*series.last, filter::Bucket::day));
    series.last = {};
}

std::string AggregateAnswer::finish() {
    std::string out = R"({"ok":true)";
    const auto member = [&](const char* name, const std::string& value) {
        out += std::string(",\"") + name + "\":" + value;
    };
    if (query_.key) {
        end(now_);
        end(before_);
        member("groups", '[' + now_.groups + ']');
        if (query_.compare) member("previousGroups", '[' + before_.groups + ']');
        member("truncated", now_.truncated || before_.truncated ? "true" : "false");
    } else {
        const bool several = query_.metrics.several;
        member(several ? "values" : "value", value_);
        if (query_.compare) member("previous", previous_);
    }
    member("window", window_);
    member("previousWindow", previous_window_);
    return out + '}';
}

}  // namespace svc::data::aggregate
