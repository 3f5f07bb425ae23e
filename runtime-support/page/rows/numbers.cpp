// Blocks metric and chart: numbers of many rows.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "page/block.hpp"
#include "page/rows/drawing.hpp"
#include "page/rows/rows_query.hpp"
#include "page/value/amount.hpp"
#include "page/value/value.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kMostNamed = "500";  // rows that a chart by a ref names

const Field* field_named(const Visit& visit, const Entity& entity, std::string_view name) {
    const int column = readable(visit, entity, name);
    return column < 0 ? nullptr : &table_of(visit, entity).fields[static_cast<std::size_t>(column)];
}

Members aggregate_members(const Visit& visit, const Block& block) {
    Members out;
    out.set("metric", block.measure.empty() ? "count" : block.measure);
    if (!block.column.empty()) out.set("column", block.column);
    const std::string filter = filter_json(visit, block, "");
    if (!filter.empty()) out.set("filter", filter);
    if (!block.range.empty()) out.set("range", block.range);
    if (!block.date_field.empty()) out.set("dateField", block.date_field);
    out.set("tz", visit.app().timezone);
    return out;
}

// An average has as many digits as it takes: people need two.
std::string rounded(const std::string& number) {
    const std::size_t point = number.find('.');
    if (point == std::string::npos || number.find_first_of("eE") != std::string::npos)
        return number;
    return number.substr(0, std::min(number.size(), point + 3));
}

std::string number_words(const Visit& visit, const Block& block, const Json* value) {
    const std::string text = plain(value);
    if (text.empty()) return "—";
    const Field* field = block.entity && !block.column.empty()
                             ? field_named(visit, *block.entity, block.column)
                             : nullptr;
    if (!field || block.measure == "count" || block.measure.empty())
        return value->is(Json::Kind::number) ? grouped(rounded(text)) : text;
    if (field->kind == FieldKind::money)
        return money(text.substr(0, text.find('.')), visit.site().currency, visit.site().digits);
    if (is_number(field->kind)) return grouped(rounded(text));
    const int column = readable(visit, *block.entity, block.column);
    return value_words(visit, *block.entity, static_cast<std::size_t>(column), value);
}

double number_of(const Json* value) {
    const double out = std::strtod(plain(value).c_str(), nullptr);
    return std::isfinite(out) ? out : 0;
}

void write_change(Html& out, const Json& body) {
    const Json* previous = body.find("previous");
    if (!previous || !previous->is(Json::Kind::number)) return;
    const double before = number_of(previous), now = number_of(body.find("value"));
    if (before == 0) {
        out << "<p class=\"change\">before: none</p>";
        return;
    }
    const auto percent = static_cast<long>(std::lround((now - before) / std::fabs(before) * 100));
    const std::string_view tone = percent > 0 ? "up" : percent < 0 ? "down" : "same";
    out << "<p class=\"change " << tone << "\">"
        << (percent > 0   ? std::string_view("▲ ")
            : percent < 0 ? std::string_view("▼ ")
                          : std::string_view(""))
        << std::to_string(std::labs(percent)) << " % "
        << (percent > 0   ? std::string_view("more")
            : percent < 0 ? std::string_view("less")
                          : std::string_view("change"))
        << " than the period before</p>";
}

Task<std::string> query_number(Visit& visit, const Block& block) {
    const Answer answer = co_await run_query(visit, block);
    if (answer.rows().empty()) co_return "—";
    const Json& row = answer.rows().front();
    const Json* value = row.find(block.column);
    if (!value && !row.members.empty()) value = &row.members.front().value;
    const std::string text = plain(value);
    co_return text.empty() ? "—" : grouped(text);
}

std::size_t place_of(const Field& field, const std::string& value) {
    const auto found = std::ranges::find(field.choices, value, &Choice::value);
    return static_cast<std::size_t>(found - std::begin(field.choices));
}

using RowNames = std::map<std::string, std::string>;  // by id

// The names of the rows that the caller may read; the others get none.
Task<RowNames> names_of_rows(Visit& visit, const Entity& target, std::string ids) {
    RowNames out;
    if (ids.empty() || !target.access.reads(visit.caller.principals)) co_return out;
    const Table& table = table_of(visit, target);
    Members members;
    members.set("select", name_selection(visit, table));
    members.set("filter", R"([{"field":"id","op":"in","value":[)" + ids + "]}]");
    members.set("limit", kMostNamed);
    const Answer answer = co_await visit.api.get(rows_path(target), std::move(members));
    for (const Json& row : answer.rows())
        out.emplace(plain(row.find("id")), name_of(visit, table, row));
    co_return out;
}

// A chart by a ref names the referenced rows.
Task<RowNames> names_of_groups(Visit& visit, const Block& block, const Answer& answer) {
    const Field* field = field_named(visit, *block.entity, block.group_by);
    const Json* groups = answer.body.find("groups");
    if (!field || !field->target || !groups) co_return RowNames();
    std::string ids;
    for (const Json& group : groups->items) {
        const std::string id = plain(group.find("key"));
        if (id.empty()) continue;
        if (!ids.empty()) ids += ',';
        base::append_json(ids, id);
    }
    co_return co_await names_of_rows(visit, *field->target, std::move(ids));
}

std::string group_name(const Visit& visit, const Block& block, const RowNames& names,
                       const Json* key) {
    const int column = readable(visit, *block.entity, block.group_by);
    if (const auto named = names.find(plain(key)); named != names.end()) return named->second;
    if (column < 0) return plain(key);
    return value_words(visit, *block.entity, static_cast<std::size_t>(column), key);
}

std::vector<Point> points_of(const Visit& visit, const Block& block, const RowNames& names,
                             const Answer& answer) {
    std::vector<Point> out;
    const Json* groups = answer.body.find("groups");
    if (!groups) return out;
    const Field* field = field_named(visit, *block.entity, block.group_by);
    for (const Json& group : groups->items) {
        const Json* key = group.find("key");
        const Json* value = group.find("value");
        out.push_back({shortened(group_name(visit, block, names, key), 40),
                       number_words(visit, block, value), number_of(value)});
        if (field) out.back().place = place_of(*field, plain(key));
    }
    std::ranges::stable_sort(out, {}, &Point::place);
    return out;
}

std::vector<Point> query_points(const Block& block, const Answer& answer) {
    std::vector<Point> out;
    for (const Json& row : answer.rows()) {
        if (out.size() == 60) break;
        const Json* value = row.find(block.column);
        out.push_back({shortened(plain(row.find(block.group_by)), 40), grouped(plain(value)),
                       number_of(value)});
    }
    return out;
}

}  // namespace

Task<> write_metric(Visit& visit, const Block& block, Html& out) {
    std::string words;
    Html change;
    if (block.entity) {
        if (!block.entity->access.reads(visit.caller.principals)) co_return;
        Members members = aggregate_members(visit, block);
        if (block.compare) members.set("compare", "1");
        const Answer answer =
            co_await visit.api.get(rows_path(*block.entity) + "/aggregate", std::move(members));
        words = answer.ok() ? number_words(visit, block, answer.body.find("value")) : "—";
        if (answer.ok() && block.compare) write_change(change, answer.body);
    } else {
        words = co_await query_number(visit, block);
    }
    std::string title(block.title);
    if (title.empty() && block.entity) title = table_of(visit, *block.entity).plural;
    const std::string link = filled(visit, block.link, nullptr, Fill::address);
    out << "<section class=\"block metric\"><h2>";
    if (link.empty()) {
        out << title;
    } else {
        out << "<a class=\"row-link\"";
        out.href(link) << ">" << title << "</a>";
    }
    constexpr std::size_t kLong = 11;
    out << "</h2><p class=\"number"
        << (base::characters(words) > kLong ? std::string_view(" long") : std::string_view())
        << "\">" << words << "</p>" << change << "</section>";
}

Task<> write_chart(Visit& visit, const Block& block, Html& out) {
    std::vector<Point> points;
    bool good = true;
    if (block.entity) {
        if (!block.entity->access.reads(visit.caller.principals)) co_return;
        Members members = aggregate_members(visit, block);
        members.set("groupBy", block.group_by);
        if (!block.bucket.empty()) {
            members.set("bucket", block.bucket);
            members.set("fill", "1");
        }
        const Answer answer =
            co_await visit.api.get(rows_path(*block.entity) + "/aggregate", std::move(members));
        good = answer.ok();
        const RowNames names = co_await names_of_groups(visit, block, answer);
        points = points_of(visit, block, names, answer);
    } else {
        const Answer answer = co_await run_query(visit, block);
        good = answer.ok();
        points = query_points(block, answer);
    }
    out << "<section class=\"block chart\">";
    if (!block.title.empty())
        out << "<header class=\"block-head\"><h2>" << block.title << "</h2></header>";
    if (good)
        write_points(out, block, points);
    else
        out << "<p class=\"empty\">These numbers could not be loaded.</p>";
    out << "</section>";
}

}  // namespace svc::page
