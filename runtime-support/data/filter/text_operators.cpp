#include "data/filter/operators.hpp"

namespace svc::data::filter {

namespace {

using Kind = json::Value::Kind;
using Sql = Result<std::string>;

std::string escaped_pattern(std::string_view text) {
    std::string pattern;
    for (char c : text) {
        if (c == '%' || c == '_' || c == '\\') pattern += '\\';
        pattern += c;
    }
    return pattern;
}

constexpr std::size_t kMostTexts = 20;

Sql like(const Clause& clause, std::string_view before, std::string_view after) {
    if (!given(clause, Kind::string)) return misfit(clause, "a text");
    if (++clause.query.texts > kMostTexts) {
        return bad_params(
            "A request may use contains, not_contains, starts_with and ends_with at most 20 times "
            "in all, links included.",
            std::string(clause.column.name));
    }
    std::string pattern(before);
    pattern.append(escaped_pattern(clause.value->text)).append(after);
    return clause.subject() + " ilike " + clause.query.bind(std::move(pattern), Type::text);
}

}  // namespace

Sql contains(const Clause& clause) {
    if (clause.column.type != Type::tags) return like(clause, "%", "%");
    if (!given(clause, Kind::string)) return misfit(clause, "a text");
    return clause.subject() + " @> array[" + clause.query.bind(clause.value->text, Type::text) +
           ']';
}

Sql not_contains(const Clause& clause) { return opposite(contains(clause)); }
Sql starts_with(const Clause& clause) { return like(clause, "", "%"); }
Sql ends_with(const Clause& clause) { return like(clause, "%", ""); }

}  // namespace svc::data::filter
