// The parts of check(): each looks for what is legal and probably wrong in one
// corner of a model. Silence is right where in doubt: a warning that is often
// wrong is read by nobody.
#pragma once

#include <vector>

#include "check/rows.hpp"
#include "diag/finding.hpp"

namespace svc::check {

struct Lint {
    const model::Model& model;
    const std::vector<KnownCaller>& callers;
    diag::Findings& findings;
};

// Conditions that are always or never true, grants that allow nothing or
// nothing new, denials that deny nothing.
void lint_grants(const Lint& lint, const model::Entity& entity);
// Grants to create whose rows cannot be made; what is open to everybody, or
// trusted too far.
void lint_fields(const Lint& lint, const model::Entity& entity);
// Transitions, grants and rules that hold somebody back by what they may write
// himself.
void lint_trust(const Lint& lint, const model::Entity& entity);
// States and transitions that are never reached or made.
void lint_lifecycle(const Lint& lint, const model::Entity& entity);
// Rules that never fire, and messages that show what their reader may not see.
void lint_rules(const Lint& lint, const model::Entity& entity);
// Policies that no index serves, and uniques that say nothing.
void lint_tables(const Lint& lint, const model::Entity& entity);
// Rows that go for good with one that can be restored.
void lint_deletes(const Lint& lint, const model::Entity& entity);

// CONDITION_NEVER_TRUE, CONDITION_ALWAYS_TRUE at `path` + "/if", for whoever
// `who` means. True if it never holds for any of them.
bool lint_condition(const Lint& lint, plan::PrincipalBits who, const model::ExprPtr& condition,
                    const std::string& path);
// No row could pass.
bool is_never(const Formula& formula);

}  // namespace svc::check
