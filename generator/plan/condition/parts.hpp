// The parts of condition.hpp: condition.cpp has predicates, value.cpp values, call.cpp functions.
// Each gives null if an expression has no form outside the database.
#pragma once

#include <string>
#include <vector>

#include "plan/condition/condition.hpp"

namespace svc::plan {

ConditionPtr value_of(const model::Expr& expr, const model::Model& model);
ConditionPtr comparison_of(const model::Expr& expr, const model::Model& model);
ConditionPtr membership_of(const model::Expr& expr, const model::Model& model);
ConditionPtr junction_of(const model::Expr& expr, const model::Model& model);  // and, or
ConditionPtr opposite_of(const model::Expr& expr, const model::Model& model);
ConditionPtr call_of(const model::Expr& call, const model::Model& model);
ConditionPtr path_of(const model::Expr& path, const model::Model& model);
// name(a, b)
ConditionPtr function_of(const std::string& name, const std::vector<model::ExprPtr>& args,
                         ConditionType type, const model::Model& model);
// name<T>(a, b), where T is the one type that all arguments can be.
ConditionPtr common_of(const std::string& name, const std::vector<model::ExprPtr>& args,
                       const model::Model& model);

ConditionPtr piece(Condition condition);
ConditionPtr truth(bool is);
ConditionPtr called(const std::string& name, std::vector<ConditionPtr> args, ConditionType type);
ConditionPtr negation(ConditionPtr of);
ConditionPtr integer_literal(std::string digits);
// The app's days begin with UTC's.
bool lives_in_utc(const model::Model& model);

}  // namespace svc::plan
