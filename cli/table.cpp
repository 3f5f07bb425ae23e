#include "cli/table.hpp"

#include <algorithm>
#include <numeric>

#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;  // a column is not cut below this
constexpr std::size_t kIdWidth = 36;   // a uuid, which is of no use when cut

std::vector<std::size_t> natural_widths(const Table& table) {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < table.head.size(); ++column) {
        std::size_t width = shown_width(table.head[column]);
        for (const auto& row : table.rows) width = std::max(width, shown_width(row[column]));
        widths.push_back(width);
    }
    return widths;
}

std::size_t total(const std::vector<std::size_t>& widths) {
    return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
}

bool is_ids(const Table& table, std::size_t column) {
    return std::all_of(table.rows.begin(), table.rows.end(), [column](const auto& row) {
        return row[column].size() == kIdWidth && row[column].find(' ') == std::string::npos;
    });
}

// False if the columns cannot be made narrow enough.
bool shrink(const Table& table, std::vector<std::size_t>& widths, std::size_t width) {
    while (total(widths) > width) {
        std::size_t widest = widths.size();
        for (std::size_t column = 0; column < widths.size(); ++column) {
            const bool may_shrink = widths[column] > kNarrowest && !is_ids(table, column);
            if (!may_shrink) continue;
            if (widest == widths.size() || widths[column] > widths[widest]) widest = column;
        }
        if (widest == widths.size()) return false;
        --widths[widest];
    }
    return true;
}

std::string line(const Table& table, const std::vector<std::string>& cells,
                 const std::vector<std::size_t>& widths) {
    std::string out;
    for (std::size_t column = 0; column < cells.size(); ++column) {
        const std::string cell = fitted(cells[column], widths[column]);
        const std::string space(widths[column] - shown_width(cell), ' ');
        const bool right = column < table.right.size() && table.right[column];
        if (column > 0) out.append(kGap, ' ');
        out += right ? space + cell : cell + space;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
}

std::string blocks(const Table& table, std::size_t width) {
    std::size_t names = 0;
    for (const auto& name : table.head) names = std::max(names, shown_width(name));
    const std::size_t values = width > names + kGap + 1 ? width - names - kGap : 1;
    std::string out;
    for (const auto& row : table.rows) {
        if (!out.empty()) out += "\n";
        for (std::size_t column = 0; column < row.size(); ++column) {
            const auto& name = table.head[column];
            out += name + std::string(names - shown_width(name) + kGap, ' ');
            out += fitted(row[column], values) + "\n";
        }
    }
    return out;
}

}  // namespace

std::string layout(const Table& table, std::size_t width) {
    if (table.head.empty()) return "";
    auto widths = natural_widths(table);
    if (width != 0 && !shrink(table, widths, width)) return blocks(table, width);
    std::string out = line(table, table.head, widths);
    for (const auto& row : table.rows) out += line(table, row, widths);
    return out;
}

}  // namespace svc::cli
