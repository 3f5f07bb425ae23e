#include "identity/sql_state.hpp"

#include <algorithm>
#include <iterator>

namespace svc::identity {
namespace {

constexpr SqlStateMeaning kMeanings[] = {
    {"23503", Code::conflict, {}},
    {"23505", Code::conflict, {}},
    {"40001", Code::conflict, "Another request changed the same rows. Try again.", true},
    {"40P01", Code::conflict, "Another request changed the same rows. Try again.", true},
    {"42501", Code::row_forbidden, "You are not allowed to do this with this row."},
    {"42P10", Code::unavailable, "The unique key is still being built. Try again."},
    {"53200", Code::unavailable,
     "The database would need too much memory for this. Ask for less at once.", true},
    {"53400", Code::unavailable,
     "The database would need too much disk space for this. Ask for less at once.", true},
    {"55P03", Code::unavailable, "Another request is changing this row right now. Try again.",
     true},
    {"57014", Code::unavailable, "The database took too long. Try again.", true},
    {"SV403", Code::row_forbidden, {}},
    {"SV404", Code::not_found, {}},
    {"SV409", Code::transition_refused, {}},
    {"SV410", Code::idempotency_mismatch, {}},
    {"SV412", Code::stale, "The row has changed. Read it again."},
    {"SV422", Code::rule_refused, {}},
    {"SV425", Code::conflict,
     "Another request with this Idempotency-Key is still being answered. Try again."},
    {"SV432", Code::field_forbidden, {}},
    {"SVPAI", Code::already_paid, {}},
    {"SVPRO", Code::payment_processing, {}},
};

}  // namespace

const SqlStateMeaning* meaning_of(std::string_view sqlstate) {
    const auto* found = std::ranges::find(kMeanings, sqlstate, &SqlStateMeaning::state);
    return found == std::end(kMeanings) ? nullptr : found;
}

}  // namespace svc::identity
