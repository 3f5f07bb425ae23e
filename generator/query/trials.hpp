// Trials in PostgreSQL before any row is written: patterns, and rules on rows of seeds.
#pragma once

#include "diag/finding.hpp"
#include "plan/plan.hpp"
#include "query/budget.hpp"
#include "query/session.hpp"

namespace svc::query {

// PostgreSQL reads a pattern only when a row meets it: a wrong one must show now.
void try_patterns(Session& session, const plan::Plan& plan, Budget& budget,
                  diag::Findings& findings);
void try_rules(Session& session, const plan::Plan& plan, Budget& budget, diag::Findings& findings);

}  // namespace svc::query
