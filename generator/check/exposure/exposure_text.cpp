#include <algorithm>
#include <utility>

#include "base/parts.hpp"
#include "check/exposure/exposure.hpp"

namespace svc::check {
namespace {

// Fields that may be sent for some of the rows only come after the others, with their rows.
std::string fields_text(const Cell& cell, const std::vector<std::string>& all) {
    if (cell.fields.empty()) return cell.effect;
    std::vector<std::string> free;
    std::vector<std::pair<std::string, std::vector<std::string>>> narrower;
    for (const FieldAccess& field : cell.fields) {
        const std::string where = text(field.where);
        if (where == text(cell.rows)) {
            free.push_back(field.name);
            continue;
        }
        const auto same = std::find_if(narrower.begin(), narrower.end(),
                                       [&](const auto& group) { return group.first == where; });
        if (same == narrower.end()) {
            narrower.push_back({where, {field.name}});
        } else {
            same->second.push_back(field.name);
        }
    }
    std::string out = free.size() == all.size() ? "every field" : base::joined(free);
    for (const auto& [where, names] : narrower) {
        out += (out.empty() ? "" : "; ") + base::joined(names) + " where " + where;
    }
    return out;
}

struct Line {
    std::string who, operation, rows, fields;
};

// The lines of one caller, or of several whose lines are the same.
std::vector<Line> lines(const std::vector<Cell>& cells, const std::vector<std::string>& fields) {
    std::vector<Line> out;
    for (const Cell& cell : cells) {
        if (cell.rows.is_no()) continue;
        std::string rows = cell.rows.is_yes() ? "all" : text(cell.rows);
        if (!cell.follows.empty()) rows += ", as " + base::joined(cell.follows, ", ");
        out.push_back({"", cell.operation.words(), rows, fields_text(cell, fields)});
    }
    if (out.empty()) out.push_back({"", "nothing", "", ""});
    return out;
}

bool alike(const std::vector<Line>& one, const std::vector<Line>& other) {
    return std::equal(
        one.begin(), one.end(), other.begin(), other.end(), [](const Line& a, const Line& b) {
            return a.operation == b.operation && a.rows == b.rows && a.fields == b.fields;
        });
}

// A member whose role changes nothing here.
bool is_as_persona(const Exposure& exposure, const EntityExposure& entity, std::size_t caller,
                   const std::vector<Line>& mine) {
    const std::string& persona = exposure.callers[caller].persona;
    if (persona.empty() || entity.cells[caller].empty()) return !persona.empty();
    const auto at = std::find_if(exposure.callers.begin(), exposure.callers.end(),
                                 [&](const Caller& other) { return other.name == persona; });
    const auto index = static_cast<std::size_t>(at - exposure.callers.begin());
    return alike(mine, lines(entity.cells[index], entity.fields));
}

std::vector<Line> entity_lines(const Exposure& exposure, const EntityExposure& entity) {
    std::vector<std::vector<Line>> groups;
    for (std::size_t i = 0; i < entity.cells.size(); ++i) {
        std::vector<Line> mine = lines(entity.cells[i], entity.fields);
        if (is_as_persona(exposure, entity, i, mine)) continue;
        const auto same = std::find_if(groups.begin(), groups.end(),
                                       [&](const auto& group) { return alike(group, mine); });
        if (same != groups.end()) {
            same->front().who += ", " + exposure.callers[i].name;
        } else {
            mine.front().who = exposure.callers[i].name;
            groups.push_back(std::move(mine));
        }
    }
    std::vector<Line> out;
    for (auto& group : groups) std::move(group.begin(), group.end(), std::back_inserter(out));
    return out;
}

// A column is as wide as its texts, but a very long text does not widen other lines.
std::string padded(const std::string& text, std::size_t width) {
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string table(const std::vector<Line>& rows) {
    constexpr std::size_t kWidest = 44;
    std::size_t who = 0, operation = 0, which = 0;
    for (const Line& line : rows) {
        who = std::max(who, line.who.size());
        operation = std::max(operation, line.operation.size());
        if (line.rows.size() <= kWidest) which = std::max(which, line.rows.size());
    }
    std::string out;
    for (const Line& line : rows) {
        std::string text = "  " + padded(line.who, who) + "  " + padded(line.operation, operation) +
                           "  " + padded(line.rows, which) + "  " + line.fields;
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    }
    return out;
}

std::string runs_table(const std::vector<RunExposure>& runs) {
    std::vector<Line> lines;
    lines.reserve(runs.size());
    for (const RunExposure& run : runs) {
        lines.push_back({std::string(base::word(run.kind)) + " " + run.name, "run by",
                         run.callers.empty() ? "nobody" : base::joined(run.callers), ""});
    }
    return lines.empty() ? "" : "\nby name\n" + table(lines);
}

std::string accounts_table(const AccountExposure& accounts) {
    std::vector<Line> lines;
    for (const PersonaExposure& persona : accounts.personas) {
        const bool open = persona.signup == Admission::may;
        lines.push_back({persona.name,
                         persona.signup == Admission::may_not ? "nobody signs up as it"
                         : open                               ? "anybody signs up as it"
                                                              : "by invitation to an organisation",
                         persona.second_factor ? "second factor required" : "", ""});
    }
    for (const SeededAccount& account : accounts.seeded) {
        if (!account.staff && !account.admin) continue;
        lines.push_back({account.email, "seeded", seeded_text(account), ""});
    }
    return lines.empty() ? "" : "\naccounts\n" + table(lines);
}

}  // namespace

std::string rows_text(const Formula& rows) {
    if (rows.is_no()) return "no rows";
    return rows.is_yes() ? "all rows" : "rows where " + text(rows);
}

std::string table_text(const Exposure& exposure) {
    std::string out;
    for (const EntityExposure& entity : exposure.entities) {
        out +=
            (out.empty() ? "" : "\n") + entity.name + "\n" + table(entity_lines(exposure, entity));
    }
    return out + runs_table(exposure.runs) + accounts_table(exposure.accounts);
}

std::string summary_text(const Exposure& exposure) {
    std::vector<std::string> read, write;
    for (const EntityExposure& entity : exposure.entities) {
        const std::vector<Cell>& guest = entity.cells.front();
        const bool writes = std::any_of(guest.begin() + 1, guest.end(),
                                        [](const Cell& cell) { return !cell.rows.is_no(); });
        if (!guest[0].rows.is_no()) {
            read.push_back(entity.name + (guest[0].rows.is_yes() ? "" : " (some rows)"));
        }
        if (writes) write.push_back(entity.name);
    }
    return "Signed-out callers may read " + (read.empty() ? "nothing" : base::joined(read)) +
           (read.empty() == write.empty() ? " and write " : " but write ") +
           (write.empty() ? "nothing" : base::joined(write)) + ".";
}

}  // namespace svc::check
