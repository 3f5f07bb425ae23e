#include "page/rows/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/utf8.hpp"
#include "page/rows/rows_query.hpp"

namespace svc::page {
namespace {

constexpr double kWidth = 640, kHeight = 240, kLeft = 8, kBottom = 28, kTop = 20;
constexpr double kCharacter = 6.6;  // width of one below the axis, on average
constexpr double kEdge = 44;        // half of the longest name below the axis

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
    // Writes only as many names as have room.
    const std::size_t every = 1 + points.size() / 8;
    double free_from = 0;
    for (std::size_t i = 0; i < points.size(); i += every) {
        const double middle = kLeft + step * (static_cast<double>(i) + 0.5);
        const std::string name = shortened(points[i].name, 14);
        const double half = static_cast<double>(base::characters(name)) * kCharacter / 2;
        if (std::max(0.0, std::min(middle - half, kWidth - 2 * half)) < free_from) continue;
        free_from = std::max(middle + half, 2 * half) + kCharacter;
        // A name at an edge would be cut off there.
        const bool first = middle < kEdge;
        const bool last = middle > kWidth - kEdge;
        out << "<text class=\"tick\" text-anchor=\""
            << std::string_view(first  ? "start"
                                : last ? "end"
                                       : "middle")
            << "\" x=\""
            << fixed(first  ? 0
                     : last ? kWidth
                            : middle)
            << "\" y=\"" << fixed(kHeight - 8) << "\">" << name << "</text>";
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

void write_numbers(Html& out, const Block& block, const std::vector<Point>& points) {
    out << "<details class=\"numbers\"><summary>Numbers</summary><div "
           "class=\"table\"><table><thead><tr><th scope=\"col\">"
        << in_words(block.group_by) << "</th><th scope=\"col\" class=\"number\">"
        << (block.column.empty() ? std::string("Count") : in_words(block.column))
        << "</th></tr></thead><tbody>";
    for (const Point& point : points)
        out << "<tr><td>" << point.name << "</td><td class=\"number\">" << point.words
            << "</td></tr>";
    out << "</tbody></table></div></details>";
}

}  // namespace

void write_points(Html& out, const Block& block, const std::vector<Point>& points) {
    if (points.empty()) {
        out << "<p class=\"empty\">"
            << (block.empty.empty() ? std::string_view("No numbers yet.") : block.empty) << "</p>";
        return;
    }
    const bool pie = block.chart_kind == Chart::pie;
    const std::string name =
        block.title.empty() ? in_words(block.group_by) : std::string(block.title);
    out << "<div class=\"drawing\"><svg role=\"img\"";
    out.attribute("aria-label", name + ", the numbers stand in the table below");
    out << " viewBox=\"0 0 " << (pie ? std::string_view("240 240") : std::string_view("640 240"))
        << "\""
        << " class=\""
        << (pie                  ? std::string_view("chart-pie")
            : points.size() <= 5 ? std::string_view("chart-wide few")
                                 : std::string_view("chart-wide"))
        << "\">";
    const double step = (kWidth - 2 * kLeft) / static_cast<double>(points.size());
    const double most = greatest(points);
    if (pie) {
        write_pie(out, points);
    } else {
        write_axis(out, points, step);
        if (block.chart_kind == Chart::line || block.chart_kind == Chart::area)
            write_line(out, points, step, most, block.chart_kind == Chart::area);
        else
            write_bars(out, points, step, most);
    }
    out << "</svg>";
    if (pie) write_legend(out, points);
    out << "</div>";
    write_numbers(out, block, points);
}

}  // namespace svc::page
