#include "plan/access/read_decision.hpp"

#include <algorithm>
#include <tuple>

#include "plan/access.hpp"
#include "plan/access/read_key.hpp"
#include "plan/condition/condition.hpp"

namespace svc::plan {
namespace {

using model::Grant;

constexpr std::uint64_t kEveryone = ~std::uint64_t{0};

using Conditions = std::vector<const model::Expr*>;

// The parts of the condition that the server can decide, and their conjunction.
std::pair<Conditions, ConditionPtr> server_parts(const model::Expr& condition,
                                                 const model::Model& model) {
    std::pair<Conditions, ConditionPtr> out;
    if (condition.kind != model::ExprKind::and_) return out;
    Condition all{.kind = ConditionKind::all};
    for (const model::ExprPtr& each : condition.args) {
        ConditionPtr part = server_condition(*each, model);
        if (!part) continue;
        out.first.push_back(each.get());
        all.args.push_back(std::move(part));
    }
    if (all.args.size() == 1) out.second = all.args.front();
    if (all.args.size() > 1) out.second = std::make_shared<const Condition>(std::move(all));
    return out;
}

// True if the result is the same for any two callers of the same principals. The time is the same
// for all.
bool looks_at_caller(const ConditionPtr& condition) {
    return any_piece(condition, [](const Condition& piece) {
        return piece.kind == ConditionKind::viewer && piece.name != "now" && piece.name != "today";
    });
}

bool names(const ConditionPtr& condition, const std::string& column) {
    return any_piece(condition, [&](const Condition& piece) {
        return piece.kind == ConditionKind::column && piece.name == column;
    });
}

// Notes the keys by which the answer of `line` depends on the caller.
void note_keys(ReadDecision& out, const ReadDecisionLine& line, const Conditions& held,
               const model::Model& model) {
    if (!looks_at_caller(line.condition)) return;
    const auto keys = keys_of_all(model, held);
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

// A condition that only the database knows asks it about everybody whom it could be about.
ReadDecisionLine line(const Grant& grant, std::uint64_t who, ReadAnswer answer,
                      const model::Model& model, ReadDecision& out) {
    if (!grant.condition) return {who, nullptr, answer};
    Conditions held = {grant.condition.get()};
    ReadDecisionLine line{who, server_condition(*grant.condition, model), answer};
    if (!line.condition) {
        line.answer = ReadAnswer::ask;
        std::tie(held, line.condition) = server_parts(*grant.condition, model);
    }
    note_keys(out, line, held, model);
    return line;
}

void add(std::vector<ReadDecisionLine>& lines, ReadDecisionLine next) {
    const bool joins = !lines.empty() && lines.back().answer == next.answer &&
                       equal(lines.back().condition, next.condition);
    if (joins) {
        lines.back().who |= next.who;
    } else {
        lines.push_back(std::move(next));
    }
}

// Lines that need the database come last: a grant that surely holds saves the question.
void ask_last(std::vector<ReadDecisionLine>& lines, std::size_t from) {
    std::stable_partition(
        lines.begin() + static_cast<std::ptrdiff_t>(from), lines.end(),
        [](const ReadDecisionLine& each) { return each.answer != ReadAnswer::ask; });
}

// Nothing after a line that holds for everybody is ever reached.
void end(std::vector<ReadDecisionLine>& lines, ReadAnswer otherwise) {
    const auto last = std::find_if(lines.begin(), lines.end(), [](const ReadDecisionLine& each) {
        return each.who == kEveryone && !each.condition;
    });
    if (last == lines.end()) {
        lines.push_back({kEveryone, nullptr, otherwise});
    } else {
        lines.erase(last + 1, lines.end());
    }
}

}  // namespace

ReadDecision plan_read_decision(const model::Model& model, const model::Entity& entity,
                                const std::vector<ServedColumn>& columns) {
    ReadDecision out;
    for (const Grant& deny : denied(entity.access, Operation::read)) {
        add(out.lines, line(deny, bits(model, deny.to), ReadAnswer::no, model, out));
    }
    const std::size_t grants_begin = out.lines.size();
    for (const Grant& grant : grants(entity, Operation::read)) {
        add(out.lines, line(grant, bits(model, grant.to), ReadAnswer::yes, model, out));
    }
    ask_last(out.lines, grants_begin);
    end(out.lines, entity.access.same_as ? ReadAnswer::ask : ReadAnswer::no);
    for (const ReadDecisionLine& each : out.lines)
        if (each.answer == ReadAnswer::ask) out.asks |= each.who;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto named = [&](const ReadDecisionLine& each) {
            return names(each.condition, columns[i].name);
        };
        if (std::ranges::any_of(out.lines, named)) out.columns.emplace_back(columns[i].member, i);
    }
    return out;
}

}  // namespace svc::plan
