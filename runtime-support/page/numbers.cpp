// Blocks metric and chart: numbers of many rows. A chart is drawn here, with a table of the same
// numbers for who cannot see it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "page/amount.hpp"
#include "page/block.hpp"
#include "page/rows_query.hpp"
#include "page/value.hpp"

namespace svc::page {
namespace {

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

struct Point {
    std::string name, words;
    double value = 0;
    std::size_t place = 0;  // among the values of an enum field, in the contract's order
};

std::size_t place_of(const Field& field, const std::string& value) {
    const auto found = std::ranges::find(field.choices, value, &Choice::value);
    return static_cast<std::size_t>(found - std::begin(field.choices));
}

std::vector<Point> points_of(const Visit& visit, const Block& block, const Answer& answer) {
    std::vector<Point> out;
    const Json* groups = answer.body.find("groups");
    if (!groups) return out;
    const int column = readable(visit, *block.entity, block.group_by);
    for (const Json& group : groups->items) {
        const Json* key = group.find("key");
        const Json* value = group.find("value");
        const std::string name =
            column < 0 ? plain(key)
                       : value_words(visit, *block.entity, static_cast<std::size_t>(column), key);
        out.push_back({shortened(name, 40), number_words(visit, block, value), number_of(value)});
        if (column >= 0)
            out.back().place =
                place_of(table_of(visit, *block.entity).fields[static_cast<std::size_t>(column)],
                         plain(key));
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

constexpr double kWidth = 640, kHeight = 240, kLeft = 8, kBottom = 28, kTop = 20;
constexpr double kEdge = 44;  // half of the longest name below the axis

std::string fixed(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

double greatest(const std::vector<Point>& points) {
    double out = 0;
    for (const Point& point : points) out = std::max(out, point.value);
    return out > 0 ? out : 1;
}

double height_of(const Point& point, double most) {
    return std::max(0.0, point.value) / most * (kHeight - kBottom - kTop);
}

void write_axis(Html& out, const std::vector<Point>& points, double step) {
    out << "<line class=\"axis\" x1=\"0\" x2=\"" << fixed(kWidth) << "\" y1=\""
        << fixed(kHeight - kBottom) << "\" y2=\"" << fixed(kHeight - kBottom) << "\"/>";
    // As many names as have room.
    const std::size_t every = 1 + points.size() / 8;
    for (std::size_t i = 0; i < points.size(); i += every) {
        const double middle = kLeft + step * (static_cast<double>(i) + 0.5);
        // A name at an edge would be cut off there.
        const bool first = middle<kEdge, last = middle> kWidth - kEdge;
        out << "<text class=\"tick\" text-anchor=\""
            << (first  ? std::string_view("start")
                : last ? std::string_view("end")
                       : std::string_view("middle"))
            << "\" x=\""
            << fixed(first  ? 0
                     : last ? kWidth
                            : middle)
            << "\" y=\"" << fixed(kHeight - 8) << "\">" << shortened(points[i].name, 14)
            << "</text>";
    }
}

void write_bars(Html& out, const std::vector<Point>& points, double step, double most) {
    const double width = std::min(step * 0.6, 64.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double height = height_of(points[i], most);
        const double middle = kLeft + step * (static_cast<double>(i) + 0.5);
        out << "<rect class=\"bar\" rx=\"3\" x=\"" << fixed(middle - width / 2) << "\" y=\""
            << fixed(kHeight - kBottom - height) << "\" width=\"" << fixed(width) << "\" height=\""
            << fixed(height) << "\"><title>" << points[i].name << ": " << points[i].words
            << "</title></rect>";
        if (points.size() <= 12)
            out << "<text class=\"figure\" text-anchor=\"middle\" x=\"" << fixed(middle)
                << "\" y=\"" << fixed(kHeight - kBottom - height - 6) << "\">" << points[i].words
                << "</text>";
    }
}

void write_line(Html& out, const std::vector<Point>& points, double step, double most, bool area) {
    std::string path;
    for (std::size_t i = 0; i < points.size(); ++i)
        path += (i == 0 ? "M" : "L") + fixed(kLeft + step * (static_cast<double>(i) + 0.5)) + " " +
                fixed(kHeight - kBottom - height_of(points[i], most));
    if (area && !points.empty()) {
        const std::string floor = fixed(kHeight - kBottom);
        out << "<path class=\"area\" d=\"" << path << "L"
            << fixed(kLeft + step * (static_cast<double>(points.size()) - 0.5)) << " " << floor
            << "L" << fixed(kLeft + step * 0.5) << " " << floor << "Z\"/>";
    }
    out << "<path class=\"line\" d=\"" << path << "\"/>";
    for (std::size_t i = 0; i < points.size() && points.size() <= 60; ++i)
        out << "<circle class=\"dot\" r=\"3\" cx=\""
            << fixed(kLeft + step * (static_cast<double>(i) + 0.5)) << "\" cy=\""
            << fixed(kHeight - kBottom - height_of(points[i], most)) << "\"><title>"
            << points[i].name << ": " << points[i].words << "</title></circle>";
}

void write_pie(Html& out, const std::vector<Point>& points) {
    constexpr double kMiddle = 120, kRadius = 100, kTurn = 6.283185307179586;
    double all = 0, at = 0;
    for (const Point& point : points) all += std::max(0.0, point.value);
    if (all <= 0) return;
    std::size_t slice = 0;
    for (const Point& point : points) {
        const double part = std::max(0.0, point.value) / all;
        const std::string tone = std::to_string(slice++ % 6);
        if (part > 0.9999) {
            out << "<circle class=\"slice s" << tone << "\" cx=\"120\" cy=\"120\" r=\"100\"/>";
            return;
        }
        const double end = at + part;
        out << "<path class=\"slice s" << tone << "\" d=\"M120 120L"
            << fixed(kMiddle + kRadius * std::sin(at * kTurn)) << " "
            << fixed(kMiddle - kRadius * std::cos(at * kTurn)) << "A100 100 0 "
            << (part > 0.5 ? std::string_view("1") : std::string_view("0")) << " 1 "
            << fixed(kMiddle + kRadius * std::sin(end * kTurn)) << " "
            << fixed(kMiddle - kRadius * std::cos(end * kTurn)) << "Z\"><title>" << point.name
            << ": " << point.words << "</title></path>";
        at = end;
    }
}

void write_legend(Html& out, const std::vector<Point>& points) {
    out << "<ul class=\"legend\" aria-hidden=\"true\">";
    std::size_t slice = 0;
    for (const Point& point : points)
        out << "<li><span class=\"key s" << slice++ % 6 << "\"></span>" << point.name << " <strong>"
            << point.words << "</strong></li>";
    out << "</ul>";
}

void write_numbers(Html& out, const Visit& visit, const Block& block,
                   const std::vector<Point>& points) {
    out << "<details class=\"numbers\"><summary>Numbers</summary><div "
           "class=\"table\"><table><thead><tr><th scope=\"col\">"
        << in_words(block.group_by) << "</th><th scope=\"col\" class=\"number\">"
        << (block.column.empty() ? std::string("Count") : in_words(block.column))
        << "</th></tr></thead><tbody>";
    for (const Point& point : points)
        out << "<tr><td>" << point.name << "</td><td class=\"number\">" << point.words
            << "</td></tr>";
    out << "</tbody></table></div></details>";
    (void)visit;
}

void write_points(Html& out, const Visit& visit, const Block& block,
                  const std::vector<Point>& points) {
    if (points.empty()) {
        out << "<p class=\"empty\">"
            << (block.empty.empty() ? std::string_view("No numbers yet.") : block.empty) << "</p>";
        return;
    }
    const bool pie = block.chart_kind == "pie";
    const std::string name =
        block.title.empty() ? in_words(block.group_by) : std::string(block.title);
    out << "<div class=\"drawing\"><svg role=\"img\"";
    out.attribute("aria-label", name + ", the numbers stand in the table below");
    out << " viewBox=\"0 0 " << (pie ? std::string_view("240 240") : std::string_view("640 240"))
        << "\""
        << " class=\"" << (pie ? std::string_view("chart-pie") : std::string_view("chart-wide"))
        << "\">";
    const double step = (kWidth - 2 * kLeft) / static_cast<double>(points.size());
    const double most = greatest(points);
    if (pie) {
        write_pie(out, points);
    } else {
        write_axis(out, points, step);
        if (block.chart_kind == "line" || block.chart_kind == "area")
            write_line(out, points, step, most, block.chart_kind == "area");
        else
            write_bars(out, points, step, most);
    }
    out << "</svg>";
    if (pie) write_legend(out, points);
    out << "</div>";
    write_numbers(out, visit, block, points);
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
    out << "</h2><p class=\"number\">" << words << "</p>" << change << "</section>";
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
        points = points_of(visit, block, answer);
    } else {
        const Answer answer = co_await run_query(visit, block);
        good = answer.ok();
        points = query_points(block, answer);
    }
    out << "<section class=\"block chart\">";
    if (!block.title.empty())
        out << "<header class=\"block-head\"><h2>" << block.title << "</h2></header>";
    if (good)
        write_points(out, visit, block, points);
    else
        out << "<p class=\"empty\">These numbers could not be loaded.</p>";
    out << "</section>";
}

}  // namespace svc::page
