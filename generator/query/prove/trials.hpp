// Trials in PostgreSQL before any row is written: patterns, and rules on rows of seeds.
#pragma once

#include "diag/finding.hpp"
#include "plan/plan.hpp"
#include "query/budget.hpp"
#include "query/scratch/scratch_connection.hpp"

namespace svc::query {

// PostgreSQL reads a pattern only when a row meets it: a wrong one must show now.
void try_patterns(ScratchConnection& scratch, const plan::Plan& plan, Budget& budget,
                  diag::Findings& findings);
void try_rules(ScratchConnection& scratch, const plan::Plan& plan, Budget& budget,
               diag::Findings& findings);

}  // namespace svc::query
