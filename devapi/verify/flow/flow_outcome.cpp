#include "verify/flow/flow_outcome.hpp"

#include <algorithm>
#include <iterator>

namespace svc::devapi::verification {

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

// Not a fault: an end that the app's own values, rows, rules and rights may cause.
bool FlowOutcome::own_fault() const {
    static constexpr const char* kTheirs[] = {
        "FAILED",    "FUNCTION_FAILED", "NOT_FOUND",   "RULE_REFUSED",   "TRANSITION_REFUSED",
        "TOO_LARGE", "CALL_DEPTH",      "ACTOR_GONE",  "LOOP",           "PARAMS_INVALID",
        "SKIPPED",   "REPLACED",        "URL_REFUSED", "METHOD_REFUSED", "HEADER_REFUSED",
        "42501",     "40001",           "40P01"};
    if (end == End::broken || end == End::endless) return true;
    if ((end != End::ended && end != End::refused) || succeeded()) return false;
    if (code == "SV404") return true;  // a function that is not there
    for (const char* known : {"SV", "21", "22", "23"})
        if (code.starts_with(known)) return false;
    return std::ranges::find(kTheirs, code) == std::end(kTheirs);
}

}  // namespace svc::devapi::verification
