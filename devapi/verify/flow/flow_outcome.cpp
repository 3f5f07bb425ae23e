#include "verify/flow/flow_outcome.hpp"

#include <algorithm>
#include <array>

#include "base/sql_state.hpp"
#include "base/words.hpp"
#include "run/step_code.hpp"

namespace svc::devapi::verification {
namespace {

// A SQLSTATE that the app's own values, rows, rules and rights may cause, or somebody else's
// transaction.
bool is_of_its_rows(std::string_view state) {
    return base::sqlstate::is_ours(state) || base::sqlstate::is_of_data(state) ||
           base::sqlstate::is_of_constraint(state) || base::sqlstate::is_busy(state) ||
           state == base::sqlstate::kTooManyRows || state == base::sqlstate::kForbidden;
}

// Codes of the same kind.
const std::array kTheirs = {name(Code::function_failed),
                            name(Code::not_found),
                            name(Code::row_forbidden),
                            name(Code::field_forbidden),
                            name(Code::table_forbidden),
                            name(Code::conflict),
                            name(Code::stale),
                            name(Code::order_not_found),
                            name(Code::payment_mismatch),
                            name(Code::payment_processing),
                            name(Code::already_paid),
                            name(Code::rule_refused),
                            name(Code::transition_refused),
                            name(Code::too_large),
                            name(Code::params_invalid),
                            base::word(run::StepCode::url_refused),
                            base::word(run::StepCode::method_refused),
                            base::word(run::StepCode::header_refused),
                            base::word(run::RunCode::failed),
                            base::word(run::RunCode::call_depth),
                            base::word(run::RunCode::actor_gone),
                            base::word(run::RunCode::loop),
                            base::word(run::RunCode::skipped),
                            base::word(run::RunCode::replaced)};

}  // namespace

std::string FlowOutcome::words() const {
    if (end == End::endless) return "never: it is at " + path + " again and again";
    if (end == End::cut_off) return "not yet: it takes longer than a verification waits";
    std::string out(end == End::broken    ? "broken"
                    : end == End::refused ? "refused"
                    : status              ? base::word(*status)
                                          : "not started");
    if (!path.empty()) out += " at " + path;
    if (!error.empty()) out += ": " + error;
    return code.empty() ? out : out + " (" + code + ")";
}

// The ends that are not faults, because the app's own values, rows, rules and rights may cause
// them.
bool FlowOutcome::own_fault() const {
    if (end == End::broken || end == End::endless) return true;
    if ((end != End::ended && end != End::refused) || succeeded()) return false;
    if (code == base::sqlstate::kNotFound) return true;  // a function that is not there
    if (is_of_its_rows(code)) return false;
    return std::ranges::find(kTheirs, code) == kTheirs.end();
}

}  // namespace svc::devapi::verification
