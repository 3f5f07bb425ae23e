// Prints calls about the caller's roles and rights as SQL.
#pragma once

#include <string>

#include "model/model.hpp"
#include "plan/sql/expr.hpp"

namespace svc::plan {

// member(org_id, roles…)
std::string member_of(const model::Expr& call, const Scope& scope);
// can('update', order_id). Written out like a policy: it means the same with the owner's rights as
// with the caller's.
std::string may_do(const model::Expr& call, const Scope& scope);

}  // namespace svc::plan
