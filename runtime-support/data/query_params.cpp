#include "data/query_params.hpp"

#include <algorithm>
#include <charconv>

#include "base/sql_state.hpp"
#include "http/exchange.hpp"

namespace svc::data {

Result<std::uint64_t> whole_param(std::string_view query, std::string_view name, WholeRange range) {
    const http::QueryParam param = http::query_param(query, name);
    if (!param.found) return range.fallback;
    const std::string& text = param.value;
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    std::uint64_t value = range.most;
    if (digits) std::from_chars(text.data(), text.data() + text.size(), value);
    if (!digits || value < range.least) {
        return bad_params(std::string(name) + " takes a whole number from " +
                          std::to_string(range.least) + " on.");
    }
    return std::min(value, range.most);
}

namespace {

// Other systems write these parameters in ways of their own.
std::string_view example_of(std::string_view name) {
    if (name == "sort") return R"( Write JSON: sort={"field":"day","dir":"desc"}.)";
    if (name == "filter") return R"( Write JSON: filter=[{"field":"day","op":"gt","value":"…"}].)";
    if (name == "where") return R"( Write JSON: where={"status":"open"}.)";
    return {};
}

}  // namespace

Result<std::optional<json::Value>> json_param(std::string_view query, std::string_view name) {
    http::QueryParam param = http::query_param(query, name);
    if (!param.found) return std::optional<json::Value>{};
    json::Parsed parsed = json::parse(param.value);
    if (!parsed.error.empty()) {
        Error error = bad_params(std::string(name) + ": " + parsed.error);
        error.message += example_of(name);
        if (parsed.nul) error.sqlstate = base::sqlstate::kNoCharacter;
        return error;
    }
    return std::optional<json::Value>(std::move(parsed.value));
}

Result<std::string> condition_params(const filter::FilterScope& scope, std::string_view query,
                                     QueryText& text) {
    using Translate =
        Result<std::string> (*)(const filter::FilterScope&, const json::Value&, QueryText&);
    constexpr std::pair<std::string_view, Translate> kParams[] = {
        {"where", filter::where_condition}, {"filter", filter::filter_condition}};
    std::string conditions;
    for (const auto& [name, translate] : kParams) {
        auto value = json_param(query, name);
        if (!value) return value.error();
        if (!value->has_value()) continue;
        auto condition = translate(scope, **value, text);
        if (!condition) return condition.error();
        if (condition->empty()) continue;
        conditions += (conditions.empty() ? "" : " and ") + *condition;
    }
    return conditions;
}

}  // namespace svc::data
