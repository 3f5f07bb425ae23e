#include "plan/read_decision.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "plan/access.hpp"
#include "plan/condition/condition.hpp"
#include "plan/read_key.hpp"

namespace svc::plan {
namespace {

using model::Grant;

constexpr std::uint64_t kEveryone = ~std::uint64_t{0};

using Conditions = std::vector<const model::Expr*>;

// What all must hold for it to hold, as far as C++ can tell, and those conditions as C++.
std::pair<Conditions, std::string> parts_in_cpp(const model::Expr& condition,
                                                const CppScope& scope) {
    std::pair<Conditions, std::string> out;
    if (condition.kind != model::ExprKind::and_) return out;
    for (const model::ExprPtr& each : condition.args) {
        const auto text = cpp_true(*each, scope, true);
        if (!text) continue;
        out.first.push_back(each.get());
        out.second += (out.second.empty() ? "" : " && ") + *text;
    }
    return out;
}

// Does it say the same to any two callers of the same principals? The time is the same for all.
bool looks_at_caller(const std::string& condition) {
    constexpr std::string_view kViewer = "viewer.";
    for (auto at = condition.find(kViewer); at != condition.npos;
         at = condition.find(kViewer, at + 1)) {
        const std::string_view what = std::string_view(condition).substr(at + kViewer.size());
        if (!what.starts_with("now") && !what.starts_with("today")) return true;
    }
    return false;
}

// What `line` says to a caller depends on the caller.
void note_keys(ReadDecision& out, const ReadDecisionLine& line, const Conditions& held,
               const CppScope& scope) {
    if (!looks_at_caller(line.condition)) return;
    const auto keys = keys_of_all(scope.model, held);
    if (!keys) {
        out.varies |= line.who;
        return;
    }
    for (ReadKey key : *keys) {
        const auto known = std::find_if(out.keys.begin(), out.keys.end(), [&](const ReadKey& one) {
            return one.column == key.column && one.of == key.of;
        });
        if (known == out.keys.end()) {
            key.who = line.who;
            out.keys.push_back(std::move(key));
        } else {
            known->who |= line.who;
        }
    }
}

// A condition without a C++ form asks the database about everybody whom it could be about.
ReadDecisionLine line(const Grant& grant, std::uint64_t who, const char* read_decision,
                      const CppScope& scope, ReadDecision& out) {
    if (!grant.condition) return {who, "", read_decision};
    const auto condition = cpp_true(*grant.condition, scope, who != kEveryone);
    ReadDecisionLine line{who, "", condition ? read_decision : "ask"};
    Conditions held = {grant.condition.get()};
    if (condition)
        line.condition = *condition;
    else
        std::tie(held, line.condition) = parts_in_cpp(*grant.condition, scope);
    note_keys(out, line, held, scope);
    return line;
}

void add(std::vector<ReadDecisionLine>& lines, ReadDecisionLine next) {
    const bool joins = !lines.empty() && lines.back().condition == next.condition &&
                       lines.back().read_decision == next.read_decision;
    if (joins) {
        lines.back().who |= next.who;
    } else {
        lines.push_back(std::move(next));
    }
}

// What must be asked comes last: a grant that surely holds spares the question.
void ask_last(std::vector<ReadDecisionLine>& lines, std::size_t from) {
    std::stable_partition(lines.begin() + static_cast<std::ptrdiff_t>(from), lines.end(),
                          [](const ReadDecisionLine& each) { return each.read_decision != "ask"; });
}

// Nothing after a line that holds for everybody is ever reached.
void end(std::vector<ReadDecisionLine>& lines, const char* otherwise) {
    const auto last = std::find_if(lines.begin(), lines.end(), [](const ReadDecisionLine& each) {
        return each.who == kEveryone && each.condition.empty();
    });
    if (last == lines.end()) {
        lines.push_back({kEveryone, "", otherwise});
    } else {
        lines.erase(last + 1, lines.end());
    }
}

}  // namespace

ReadDecision plan_read_decision(const model::Model& model, const model::Entity& entity,
                                const std::vector<ServedColumn>& columns) {
    ReadDecision out;
    std::set<std::string> named;
    const CppScope scope{.model = model, .columns = &named};
    for (const Grant& deny : denied(entity.access, Operation::read)) {
        add(out.lines, line(deny, bits(model, deny.to), "no", scope, out));
    }
    const std::size_t grants_begin = out.lines.size();
    for (const Grant& grant : grants(entity, Operation::read)) {
        add(out.lines, line(grant, bits(model, grant.to), "yes", scope, out));
    }
    ask_last(out.lines, grants_begin);
    end(out.lines, entity.access.same_as ? "ask" : "no");
    for (const ReadDecisionLine& each : out.lines)
        if (each.read_decision == "ask") out.asks |= each.who;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (named.contains(columns[i].name)) out.columns.emplace_back(columns[i].member, i);
    }
    return out;
}

}  // namespace svc::plan
