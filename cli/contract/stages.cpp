#include "cli/contract/stages.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "cli/context.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr std::size_t kNameWidth = 10;
constexpr std::size_t kMostTables = 20;

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    const auto passed = std::chrono::steady_clock::now() - start;
    return std::chrono::duration<double, std::milli>(passed).count();
}

std::string padded(const std::string& name) {
    return name + std::string(name.size() < kNameWidth ? kNameWidth - name.size() : 1, ' ');
}

// "add_column" is "add column"
std::string in_words(std::string kind) {
    std::replace(kind.begin(), kind.end(), '_', ' ');
    return kind;
}

// The changes of one table in their order, each kind once.
struct TableChanges {
    std::string table;  // empty: the database as a whole
    std::vector<std::pair<std::string, std::size_t>> kinds;

    void add(const std::string& kind) {
        const auto known = std::find_if(kinds.begin(), kinds.end(),
                                        [&kind](const auto& entry) { return entry.first == kind; });
        if (known != kinds.end()) {
            ++known->second;
        } else {
            kinds.emplace_back(kind, 1);
        }
    }

    std::string line() const {
        std::string out = "  " + (table.empty() ? "database" : table) + ":";
        const char* gap = " ";
        for (const auto& [kind, count] : kinds) {
            out += gap + (count > 1 ? std::to_string(count) + " x " : "") + kind;
            gap = ", ";
        }
        return out + "\n";
    }
};

std::string rewritten(const json& change) {
    const auto rows = change.value("rewrites", std::int64_t{0});
    if (rows == 0) return "";
    return " (rewrites the table, about " + std::to_string(rows) +
           " rows, which is locked during that time)";
}

std::vector<TableChanges> by_table(const json& plan) {
    std::vector<TableChanges> tables;
    for (const json& change : plan) {
        const std::string table = text_of(change, "table"), column = text_of(change, "column");
        auto entry = std::find_if(tables.begin(), tables.end(),
                                  [&table](const auto& known) { return known.table == table; });
        if (entry == tables.end()) entry = tables.insert(tables.end(), TableChanges{table, {}});
        entry->add(in_words(text_of(change, "kind")) + (column.empty() ? "" : " " + column) +
                   rewritten(change));
    }
    return tables;
}

}  // namespace

StageView::StageView() : live_(is_terminal(Stream::out)), colour_(colours(Stream::out)) {}

void StageView::show(const json& stage) {
    const std::string name = text_of(stage, "name");
    const std::string status = text_of(stage, "status");
    if (name.empty()) return;
    if (status == "running") return begin(name, text_of(stage, "detail"));
    const bool measured = stage.contains("ms") && stage["ms"].is_number();
    const double ms = measured           ? stage["ms"].get<double>()
                      : running_ == name ? milliseconds_since(since_)
                                         : 0;
    finish();
    const std::string detail = text_of(stage, "detail");
    const char* colour = status == "failed" ? "\x1b[31m" : "\x1b[32m";
    print("  " + padded(name) + (colour_ ? colour : "") + padded(status) +
          (colour_ ? "\x1b[0m" : "") + duration(ms) + (detail.empty() ? "" : "  " + detail) + "\n");
    std::fflush(stdout);
}

void StageView::begin(const std::string& name, const std::string& detail) {
    if (running_ != name) since_ = std::chrono::steady_clock::now();
    running_ = name;
    detail_ = detail;
    if (!live_ && !detail.empty() && std::exchange(told_, name) != name) {
        print("  " + padded(name) + detail + "\n");
        std::fflush(stdout);
    }
    draw_running();
}

void StageView::tick() {
    if (!running_.empty()) draw_running();
}

void StageView::draw_running() const {
    if (!live_) return;
    print("\r  " + padded(running_) + "running " + duration(milliseconds_since(since_)) +
          (detail_.empty() ? "" : "  " + detail_) + "\x1b[K");
    std::fflush(stdout);
}

void StageView::finish() {
    if (live_ && !running_.empty()) print("\r\x1b[K");
    running_.clear();
}

std::string plan_lines(const json& plan) {
    if (!plan.is_array() || plan.empty()) return "";
    const auto tables = by_table(plan);
    std::string out = "Database changes:\n";
    for (std::size_t i = 0; i < std::min(tables.size(), kMostTables); ++i) out += tables[i].line();
    if (tables.size() > kMostTables) {
        out += "  and " + std::to_string(tables.size() - kMostTables) + " more tables\n";
    }
    return out;
}

std::string plan_sql(const json& plan) {
    if (!plan.is_array() || plan.empty()) return "";
    std::string out = "Database changes:\n";
    for (const json& change : plan) {
        const std::string table = text_of(change, "table"), column = text_of(change, "column"),
                          when = text_of(change, "when");
        out += "-- " + in_words(text_of(change, "kind")) + (table.empty() ? "" : " " + table) +
               (column.empty() ? "" : "." + column) +
               (when.empty() ? "" : " (" + when + " the others, without a long lock)") +
               rewritten(change) + "\n" + printable(change.value("sql", ""), true) + ";\n";
    }
    return out;
}

std::string difference_lines(const json& changes) {
    if (!changes.is_array()) return "";
    std::string out;
    for (const json& change : changes) {
        const std::string kind = text_of(change, "kind"), was = text_of(change, "was");
        if (kind == "more")
            out += "  and " + change.value("count", json()).dump() + " more\n";
        else
            out += "  " + kind + " " + text_of(change, "path") +
                   (was.empty() ? "" : ": " + was + " is now " + text_of(change, "is")) + "\n";
    }
    return out;
}

std::string unmanaged_lines(const json& unmanaged) {
    if (!unmanaged.is_array() || unmanaged.empty()) return "";
    std::string out = "In the database, but not in the contract (left as it is):\n";
    for (const json& one : unmanaged) {
        const std::string name = text_of(one, "name"), kind = text_of(one, "kind");
        out += "  " + kind + " " + text_of(one, "table") +
               (name.empty()       ? ""
                : kind == "column" ? "." + name
                                   : ": " + name) +
               "\n";
    }
    return out;
}

}  // namespace svc::cli
