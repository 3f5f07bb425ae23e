#include "data/list/count.hpp"

#include "data/filter/paths.hpp"
#include "http/exchange.hpp"

namespace svc::data::list {

namespace {

// Up to here an estimate counts; beyond it looks at about that many rows of the table.
constexpr std::string_view kCounted = "10000", kSampled = "30000";

std::string rows(std::string_view table, std::string_view sample = "") {
    return std::string(table) + ' ' + std::string(filter::kRows) + std::string(sample);
}

std::string all(std::string_view table, const std::string& conditions) {
    return "select count(*), null from " + rows(table) + conditions;
}

// The sample is the same each time, so that the number stands still from page to page.
std::string sampled(std::string_view table, const std::string& conditions) {
    const std::string name(table), limit(kCounted);
    const std::string percent =
        "least(100, 100.0 * " + std::string(kSampled) +
        " / greatest((select reltuples from pg_catalog.pg_class where oid = '" + name +
        "'::regclass), 1))";
    return "select n, case when n > " + limit + " then (select round(count(*) * 100.0 / " +
           percent + ") from " +
           rows(name, " tablesample system (" + percent + ") repeatable (1)") + conditions +
           ") end from (select count(*) as n from (select from " + rows(name) + conditions +
           "\nlimit " + limit + " + 1) as few) as counted";
}

}  // namespace

Result<CountMode> asked_count(std::string_view query) {
    const http::QueryParam param = http::query_param(query, "count");
    if (!param.found) return CountMode::none;
    if (param.value == "exact") return CountMode::exact;
    if (param.value == "estimated") return CountMode::estimated;
    return bad_params("count must be exact or estimated.");
}

QueryText count_text(CountMode counting, std::string_view table, const std::string& conditions,
                     const QueryText& bound) {
    QueryText text = bound;
    text.sql = counting == CountMode::exact ? all(table, conditions) : sampled(table, conditions);
    return text;
}

void CountSink::row(const Row& row) {
    estimated_ = !row.null(1);
    count_ = row.text(estimated_ ? 1 : 0);
}

void CountSink::write_to(Envelope& envelope, CountMode counting) const {
    std::optional<bool> estimated;
    if (counting == CountMode::estimated) estimated = estimated_;
    envelope.count(count_, estimated);
}

}  // namespace svc::data::list
