#include "cli/stages.hpp"

#include <cstdio>

#include "cli/session.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

constexpr std::size_t kNameWidth = 8;
constexpr std::size_t kMostChanges = 20;

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    const auto passed = std::chrono::steady_clock::now() - start;
    return std::chrono::duration<double, std::milli>(passed).count();
}

std::string padded(const std::string& name) {
    return name + std::string(name.size() < kNameWidth ? kNameWidth - name.size() : 1, ' ');
}

// "add_column" is "add column"
std::string in_words(std::string kind) {
    for (char& c : kind) {
        if (c == '_') c = ' ';
    }
    return kind;
}

}  // namespace

StageView::StageView() : live_(is_terminal(Stream::out)), colour_(colours(Stream::out)) {}

void StageView::show(const json& stage) {
    const std::string name = text_of(stage, "name");
    const std::string status = text_of(stage, "status");
    if (name.empty()) return;
    if (status == "running") {
        running_ = name;
        since_ = std::chrono::steady_clock::now();
        draw_running();
        return;
    }
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

void StageView::tick() {
    if (!running_.empty()) draw_running();
}

void StageView::draw_running() const {
    if (!live_) return;
    print("\r  " + padded(running_) + "running " + duration(milliseconds_since(since_)) + "\x1b[K");
    std::fflush(stdout);
}

void StageView::finish() {
    if (live_ && !running_.empty()) print("\r\x1b[K");
    running_.clear();
}

std::string plan_lines(const json& plan) {
    if (!plan.is_array() || plan.empty()) return "";
    std::string out = "Database changes:\n";
    std::size_t shown = 0;
    for (const json& change : plan) {
        if (shown == kMostChanges) break;
        const std::string column = text_of(change, "column");
        out += "  " + in_words(text_of(change, "kind")) + " " + text_of(change, "table") +
               (column.empty() ? "" : "." + column) + "\n";
        ++shown;
    }
    if (plan.size() > shown) {
        out += "  and " + std::to_string(plan.size() - shown) + " more (all of them: --json)\n";
    }
    return out;
}

}  // namespace svc::cli
