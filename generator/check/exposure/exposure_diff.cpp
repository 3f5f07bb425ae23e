#include "check/exposure/exposure_diff.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "check/exposure/exposure_accounts.hpp"
#include "check/exposure/exposure_cells.hpp"
#include "check/exposure/exposure_words.hpp"

namespace svc::check {
namespace {

// The cells of a caller; none if the contract has no such entity or caller.
const std::vector<Cell>& cells_of(const Exposure& exposure, const std::string& entity,
                                  const std::string& caller) {
    static const std::vector<Cell> kNone;
    for (const EntityExposure& at : exposure.entities) {
        if (at.name != entity) continue;
        for (std::size_t i = 0; i < exposure.callers.size(); ++i) {
            if (exposure.callers[i].name != caller) continue;
            const std::string& persona = exposure.callers[i].persona;
            const bool as_persona = at.cells[i].empty() && !persona.empty();
            return as_persona ? cells_of(exposure, entity, persona) : at.cells[i];
        }
    }
    return kNone;
}

const Cell* find(const std::vector<Cell>& cells, const Doing& operation) {
    const auto at = std::find_if(cells.begin(), cells.end(),
                                 [&](const Cell& cell) { return cell.operation == operation; });
    return at == cells.end() ? nullptr : &*at;
}

Cell closed(const Doing& operation) {
    Cell out;
    out.operation = operation;
    return out;
}

// True if a member's change is already shown by the change of their persona or role.
bool is_shown(const ExposureDiff& diff, const Exposure& exposure, const ExposureChange& change) {
    const auto caller = std::find_if(exposure.callers.begin(), exposure.callers.end(),
                                     [&](const auto& at) { return at.name == change.caller; });
    if (caller == exposure.callers.end() || caller->persona.empty()) return false;
    const auto part = [&](const std::string& name) {
        return std::count(caller->extends.begin(), caller->extends.end(), name) > 0;
    };
    return std::any_of(diff.changes.begin(), diff.changes.end(), [&](const ExposureChange& other) {
        return other.entity == change.entity && part(other.caller) &&
               sentence(other, "") == sentence(change, "");
    });
}

void compare_callers(const std::string& entity, const std::string& caller, const Exposure& before,
                     const Exposure& after, ExposureDiff& out) {
    const std::vector<Cell>& was = cells_of(before, entity, caller);
    const std::vector<Cell>& is = cells_of(after, entity, caller);
    const auto add_change = [&](const Cell& one, const Cell& other) {
        std::optional<ExposureChange> change = compare_cells(one, other);
        if (!change) return;
        change->entity = entity;
        change->caller = caller;
        change->message = sentence(*change, caller);
        if (is_shown(out, after, *change)) return;
        out.changes.push_back(std::move(*change));
    };
    for (const Cell& cell : is) {
        const Cell* same = find(was, cell.operation);
        add_change(same != nullptr ? *same : closed(cell.operation), cell);
    }
    for (const Cell& cell : was) {
        if (find(is, cell.operation) == nullptr) add_change(cell, closed(cell.operation));
    }
}

// The names of `after` in its order, then the removed ones.
template <typename Named>
std::vector<std::string> names(const std::vector<Named>& before, const std::vector<Named>& after) {
    std::vector<std::string> out;
    for (const auto* side : {&after, &before}) {
        for (const Named& named : *side) {
            if (std::find(out.begin(), out.end(), named.name) == out.end()) {
                out.push_back(named.name);
            }
        }
    }
    return out;
}

bool runs_it(const Exposure& exposure, const RunExposure& of, const std::string& caller) {
    const auto runs = [&](const std::string& who) {
        return std::any_of(exposure.runs.begin(), exposure.runs.end(), [&](const RunExposure& at) {
            return at.kind == of.kind && at.name == of.name &&
                   std::count(at.callers.begin(), at.callers.end(), who) > 0;
        });
    };
    const auto known = std::find_if(exposure.callers.begin(), exposure.callers.end(),
                                    [&](const Caller& at) { return at.name == caller; });
    return runs(caller) || (known != exposure.callers.end() && runs(known->persona));
}

void add_run(const RunExposure& run, const std::string& caller, ExposureChange change,
             const Exposure& after, ExposureDiff& out) {
    change.caller = caller;
    change.entity = run.name;
    change.operation.act =
        run.kind == RunExposure::Kind::query ? Act::run_query : Act::run_function;
    change.message = sentence(change, caller);
    if (!is_shown(out, after, change)) out.changes.push_back(std::move(change));
}

const RunExposure* find_run(const Exposure& exposure, const RunExposure& wanted) {
    for (const RunExposure& run : exposure.runs) {
        if (run.kind == wanted.kind && run.name == wanted.name) return &run;
    }
    return nullptr;
}

// True if the same name now has another query or other steps.
bool says_other(const RunExposure& run, const Exposure& before) {
    const RunExposure* was = find_run(before, run);
    return was != nullptr && was->sql != run.sql;
}

void compare_runs(const RunExposure& run, const std::string& caller, const Exposure& before,
                  const Exposure& after, ExposureDiff& out) {
    const bool was = runs_it(before, run, caller);
    const bool is = runs_it(after, run, caller);
    ExposureChange change;
    if (was != is) {
        change.direction = is ? Direction::widened : Direction::narrowed;
        change.before = was ? "may" : "may not";
        change.after = is ? "may" : "may not";
        add_run(run, caller, std::move(change), after, out);
    } else if (is && says_other(run, before)) {
        change.before = find_run(before, run)->sql;
        change.after = run.sql;
        add_run(run, caller, std::move(change), after, out);
    }
}

// Compares a run that no caller may start: only steps use its result.
void compare_steps(const RunExposure& run, const Exposure& before, const Exposure& after,
                   ExposureDiff& out) {
    if (!run.steps || !run.callers.empty() || !says_other(run, before)) return;
    ExposureChange change;
    change.before = find_run(before, run)->sql;
    change.after = run.sql;
    add_run(run, "workflow", std::move(change), after, out);
}

}  // namespace

std::size_t ExposureDiff::count(Direction direction) const {
    return static_cast<std::size_t>(
        std::count_if(changes.begin(), changes.end(),
                      [&](const ExposureChange& change) { return change.direction == direction; }));
}

ExposureDiff compare(const Exposure& before, const Exposure& after) {
    ExposureDiff out;
    for (const std::string& entity : names(before.entities, after.entities)) {
        for (const std::string& caller : names(before.callers, after.callers)) {
            compare_callers(entity, caller, before, after, out);
        }
    }
    std::vector<RunExposure> runs = after.runs;
    for (const RunExposure& run : before.runs) {
        if (find_run(after, run) == nullptr) runs.push_back(run);
    }
    for (const RunExposure& run : runs) {
        compare_steps(run, before, after, out);
        for (const std::string& caller : names(before.callers, after.callers)) {
            compare_runs(run, caller, before, after, out);
        }
    }
    compare_accounts(before.accounts, after.accounts, out.changes);
    return out;
}

}  // namespace svc::check
