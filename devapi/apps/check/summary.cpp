#include "apps/check/summary.hpp"

#include <algorithm>
#include <cstdio>

namespace svc::devapi {
namespace {

std::string count(std::size_t number, const std::string& noun) {
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::size_t changes(const ApplyOutcome& outcome, migrate::ChangeKind kind) {
    return std::ranges::count(outcome.plan, kind, &migrate::Change::kind);
}

std::string what_changed(const ApplyOutcome& outcome) {
    if (outcome.plan.empty()) return "nothing to change in the database";
    const std::size_t tables = changes(outcome, migrate::ChangeKind::create_table);
    const std::size_t columns = changes(outcome, migrate::ChangeKind::add_column);
    std::string out;
    if (tables) out += count(tables, "new table") + ", ";
    if (columns) out += count(columns, "new column") + ", ";
    return out + count(outcome.plan.size(), "change") + " to the database";
}

std::string seconds(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", value);
    return text;
}

}  // namespace

std::string summarise(const ApplyOutcome& outcome) {
    switch (outcome.status) {
        case ApplyOutcome::Status::applied:
            return "Version " + std::to_string(outcome.version) +
                   " is live: " + what_changed(outcome) + ", built in " +
                   seconds(outcome.build_seconds) + ".";
        case ApplyOutcome::Status::previewed:
            return "This would happen: " + what_changed(outcome) + ". Nothing was done.";
        case ApplyOutcome::Status::invalid:
            return "The contract was not applied: " +
                   count(std::ranges::count(outcome.findings.all(), diag::Severity::error,
                                            &diag::Finding::severity),
                         "error") +
                   ".";
        case ApplyOutcome::Status::failed:
            return "The apply failed at stage " + stage_word(outcome.failed_stage) +
                   ". The version that was live before still is.";
        case ApplyOutcome::Status::hand_edited:
            return "Nothing was changed: " + count(outcome.edited.size(), "generated file") +
                   " edited by hand.";
    }
    return {};
}

}  // namespace svc::devapi
