#include "plan/condition/tree.hpp"

#include <algorithm>

namespace svc::plan {

bool equal(const ConditionPtr& one, const ConditionPtr& other) {
    if (!one || !other) return one == other;
    return one->kind == other->kind && one->type == other->type && one->name == other->name &&
           one->of == other->of && one->row == other->row && one->arguments == other->arguments &&
           std::ranges::equal(one->args, other->args, equal);
}

bool any_piece(const ConditionPtr& tree, const std::function<bool(const Condition&)>& test) {
    if (!tree) return false;
    if (test(*tree)) return true;
    return std::ranges::any_of(tree->args,
                               [&](const ConditionPtr& arg) { return any_piece(arg, test); });
}

}  // namespace svc::plan
