#include "plan/read_decision.hpp"

#include <algorithm>

#include "plan/access.hpp"
#include "plan/cpp_expr.hpp"

namespace svc::plan {
namespace {

using model::Grant;

constexpr std::uint64_t kEveryone = ~std::uint64_t{0};

// A condition without a C++ form asks the database about everybody whom it could be about.
ReadDecisionLine line(const Grant& grant, std::uint64_t who, const char* read_decision,
                      const CppScope& scope) {
    if (!grant.condition) return {who, "", read_decision};
    const auto condition = cpp_true(*grant.condition, scope, who != kEveryone);
    return condition ? ReadDecisionLine{who, *condition, read_decision}
                     : ReadDecisionLine{who, "", "ask"};
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
        add(out.lines, line(deny, bits(model, deny.to), "no", scope));
    }
    const std::size_t grants_begin = out.lines.size();
    for (const Grant& grant : grants(entity, Operation::read)) {
        add(out.lines, line(grant, bits(model, grant.to), "yes", scope));
    }
    ask_last(out.lines, grants_begin);
    end(out.lines, entity.access.same_as ? "ask" : "no");
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (named.contains(columns[i].name)) out.columns.emplace_back(columns[i].member, i);
    }
    return out;
}

}  // namespace svc::plan
