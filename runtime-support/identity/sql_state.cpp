#include "identity/sql_state.hpp"

#include <algorithm>
#include <iterator>

#include "base/sql_state.hpp"

namespace svc::identity {
namespace {

namespace sqlstate = base::sqlstate;

constexpr std::string_view kChangedByAnother = "Another request changed the same rows. Try again.";

constexpr SqlStateMeaning kMeanings[] = {
    {sqlstate::kReference, Code::conflict, {}},
    {sqlstate::kTaken, Code::conflict, {}},
    {sqlstate::kNotSerializable, Code::conflict, kChangedByAnother, true},
    {sqlstate::kDeadlock, Code::conflict, kChangedByAnother, true},
    {sqlstate::kForbidden, Code::row_forbidden, "You are not allowed to do this with this row."},
    {sqlstate::kNoUniqueKey, Code::unavailable, "The unique key is still being built. Try again."},
    {sqlstate::kOutOfMemory, Code::unavailable,
     "The database would need too much memory for this. Ask for less at once.", true},
    {sqlstate::kOverLimit, Code::unavailable,
     "The database would need too much disk space for this. Ask for less at once.", true},
    {sqlstate::kLocked, Code::unavailable,
     "Another request is changing this row right now. Try again.", true},
    {sqlstate::kCanceled, Code::unavailable, "The database took too long. Try again.", true},
    {sqlstate::kMisfit, Code::params_invalid, {}},
    {sqlstate::kSessionEnded, Code::unauthorized, "The app session has ended. Sign in again."},
    {sqlstate::kRowForbidden, Code::row_forbidden, {}},
    {sqlstate::kNotFound, Code::not_found, {}},
    {sqlstate::kTransition, Code::transition_refused, {}},
    {sqlstate::kGone, Code::idempotency_mismatch, {}},
    {sqlstate::kStale, Code::stale, "The row has changed. Read it again."},
    {sqlstate::kRule, Code::rule_refused, {}},
    {sqlstate::kKeyInUse, Code::conflict,
     "Another request with this Idempotency-Key is still being answered. Try again."},
    {sqlstate::kFieldForbidden, Code::field_forbidden, {}},
    // Functions and workflows. The caller of a function that is too large or calls too deep sent
    // nothing that is at fault, which TOO_LARGE (413, of a file) would say: the function failed,
    // and the message says how. A run shows the operator which it was (svc.error_name in
    // schema/run/effects.sql).
    {sqlstate::kNoStepRow, Code::not_found, {}},
    {sqlstate::kFlowTooLarge, Code::function_failed, {}},
    {sqlstate::kCallDepth, Code::function_failed, {}},
    {sqlstate::kMayNot, Code::table_forbidden, {}},
    // Payments.
    {sqlstate::kNoOrder, Code::order_not_found, {}},
    {sqlstate::kPaid, Code::already_paid, {}},
    {sqlstate::kPaymentProcessing, Code::payment_processing, {}},
    {sqlstate::kPaymentMismatch, Code::payment_mismatch, {}},
    {sqlstate::kPaymentsMisfit, Code::bad_contract, {}},
    {sqlstate::kBadLines, Code::conflict, {}},
    {sqlstate::kNothingDue, Code::conflict, {}},
};

}  // namespace

const SqlStateMeaning* meaning_of(std::string_view sqlstate) {
    const auto* found = std::ranges::find(kMeanings, sqlstate, &SqlStateMeaning::state);
    return found == std::end(kMeanings) ? nullptr : found;
}

}  // namespace svc::identity
