// Access that asks for access: over same_as, and by can(). It must come to an end.
#include <array>
#include <set>
#include <utility>

#include "model/parts.hpp"
#include "model/typer.hpp"

namespace svc::model {
namespace {

constexpr std::array<const char*, 4> kOperations = {"read", "create", "update", "delete"};

// An entity, and which of kOperations.
using Node = std::pair<std::size_t, std::size_t>;
using Nodes = std::set<Node>;

constexpr std::size_t kRead = 0, kUpdate = 2;

const std::vector<Grant>& list_of(const auto& lists, std::size_t operation) {
    const std::array<const std::vector<Grant>*, 4> all = {&lists.read, &lists.create, &lists.update,
                                                          &lists.remove};
    return *all[operation];
}

void asked_by(const Model& model, const Expr& expr, Nodes& out) {
    if (expr.kind == ExprKind::call && expr.text == "can") {
        if (const auto target = referred_entity(model, *expr.args[1])) {
            out.insert({*target, kRead});
            for (std::size_t i = 0; i < kOperations.size(); ++i) {
                if (expr.args[0]->text == kOperations[i]) out.insert({*target, i});
            }
        }
    }
    for (const ExprPtr& arg : expr.args) asked_by(model, *arg, out);
}

Nodes asked_by(const Model& model, const Node& node) {
    const Entity& entity = model.entities[node.first];
    Nodes out;
    if (entity.access.same_as) {
        const std::size_t above = entity.fields[*entity.access.same_as].ref_entity;
        out.insert({above, kRead});
        if (node.second != kRead) out.insert({above, kUpdate});
    }
    for (const auto* grants :
         {&list_of(entity.access, node.second), &list_of(entity.access.deny, node.second)}) {
        for (const Grant& grant : *grants) {
            if (grant.condition) asked_by(model, *grant.condition, out);
        }
    }
    return out;
}

bool comes_back(const Model& model, const Node& start) {
    Nodes seen;
    std::vector<Node> next = {start};
    while (!next.empty()) {
        const Node at = next.back();
        next.pop_back();
        for (const Node& asked : asked_by(model, at)) {
            if (asked == start) return true;
            if (seen.insert(asked).second) next.push_back(asked);
        }
    }
    return false;
}

bool asks(const Model& model, const Entity& entity) {
    Nodes out;
    for (std::size_t i = 0; i < kOperations.size(); ++i) {
        for (const auto* grants :
             {&list_of(entity.access, i), &list_of(entity.access.deny, i)}) {
            for (const Grant& grant : *grants) {
                if (grant.condition) asked_by(model, *grant.condition, out);
            }
        }
    }
    return !out.empty();
}

}  // namespace

void check_questions(Work work) {
    const Model& model = work.out;
    for (std::size_t e = 0; e < model.entities.size(); ++e) {
        if (!asks(model, model.entities[e])) continue;
        for (std::size_t operation = 0; operation < kOperations.size(); ++operation) {
            if (!comes_back(model, {e, operation})) continue;
            work.findings.error("ACCESS_CYCLE", model.entities[e].path + "/access",
                                "Access to \"" + model.entities[e].name +
                                    "\" asks for itself: to " + kOperations[operation] +
                                    " a row one must be allowed to " + kOperations[operation] +
                                    " it.",
                                "write the condition out instead of can()");
            break;
        }
    }
}

}  // namespace svc::model
