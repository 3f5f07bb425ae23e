#include "feed/judge/row_texts.hpp"

#include "base/ascii.hpp"
#include "data/columns.hpp"

namespace svc::feed {
namespace {

std::string columns_of(const Entity& entity) {
    std::string out;
    for (const Column& column : entity.columns) out += "r." + data::quoted_name(column.name) + ", ";
    return out;
}

std::string rows_from(const Entity& entity, std::string_view param) {
    return " from json_array_elements(" + std::string(param) +
           "::json) with ordinality k(\"j?\", \"n?\") cross join lateral "
           "json_populate_record(null::public." +
           data::quoted_name(entity.name) + ", k.\"j?\") r";
}

// The condition of a filter, with its values bound in `all`. Its first value stands for the rows.
std::string bound(const data::QueryText& filter, data::QueryText& all) {
    const std::size_t shift = all.values.size() - 1;
    for (std::size_t i = 1; i < filter.values.size(); ++i)
        all.bind(filter.values[i], filter.types[i]);
    std::string out;
    bool quoted = false;  // the name of a column
    for (std::size_t at = 0; at < filter.sql.size();) {
        const char c = filter.sql[at++];
        out += c;
        if (c == '"') quoted = !quoted;
        if (quoted || c != '$') continue;
        std::size_t number = 0;
        for (; at < filter.sql.size() && base::is_digit(filter.sql[at]); ++at)
            number = number * 10 + static_cast<std::size_t>(filter.sql[at] - '0');
        out += std::to_string(number + shift);
    }
    return out;
}

}  // namespace

data::QueryText rows_text(const Entity& entity, std::string rows, std::string_view timezone) {
    data::QueryText text;
    const std::string array = text.bind(std::move(rows), Type::json);
    const std::string zone = text.bind(std::string(timezone), Type::text);
    text.sql = "select " + columns_of(entity) + "now(), (now() at time zone " + zone + ")::date" +
               rows_from(entity, array) + " order by k.\"n?\"";
    return text;
}

data::QueryText filters_text(const Entity& entity, std::string rows,
                             std::span<const Filter* const> filters) {
    data::QueryText text;
    const std::string array = text.bind(std::move(rows), Type::json);
    std::string fits;
    for (const Filter* filter : filters)
        fits.append(fits.empty() ? "" : " || ")
            .append("case when ")
            .append(bound(filter->text, text))
            .append(" then 't' else 'f' end");
    text.sql = "select k.\"n?\" - 1, " + fits + rows_from(entity, array);
    return text;
}

}  // namespace svc::feed
