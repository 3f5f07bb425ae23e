// The parts of check(): each looks for legal and probably wrong parts of a model. In doubt it
// reports nothing, because nobody reads a warning that is often wrong.
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
// Grants to create whose rows cannot be made; and access that is open to everybody or trusts its
// callers too much.
void lint_fields(const Lint& lint, const model::Entity& entity);
// Transitions, grants and rules that restrict callers by a value that these callers may write
// themselves.
void lint_trust(const Lint& lint, const model::Entity& entity);
// States and transitions that are never reached or made.
void lint_lifecycle(const Lint& lint, const model::Entity& entity);
// Rules that never fire, and messages that show what their reader may not see.
void lint_rules(const Lint& lint, const model::Entity& entity);
// Policies that no index serves, and uniques that say nothing.
void lint_tables(const Lint& lint, const model::Entity& entity);
// Rows that are deleted for good together with a row that can be restored.
void lint_deletes(const Lint& lint, const model::Entity& entity);

// CONDITION_NEVER_TRUE, CONDITION_ALWAYS_TRUE at `path` + "/if", for the callers in `who`. Returns
// true if the condition never holds for any of them.
bool lint_condition(const Lint& lint, plan::PrincipalBits who, const model::ExprPtr& condition,
                    const std::string& path);
// True if no row can satisfy it.
bool is_never(const Formula& formula);

}  // namespace svc::check
