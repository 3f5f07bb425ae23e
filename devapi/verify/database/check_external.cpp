// Rows of other databases: the clone has no account there, so nothing of them is tried.
#include "verify/subject.hpp"

namespace svc::devapi::verification {

void check_external(Subject& subject, VerifyCheck& out) {
    std::string names;
    for (const auto& entity : subject.model.entities)
        if (entity.external) names += (names.empty() ? "" : ", ") + entity.name;
    not_run(out, names.empty()
                     ? "The contract has no entities of other databases."
                     : "A verification must not write to other databases, so it does not try these "
                       "things there: who reaches which rows of " +
                           names +
                           ", their fields and rules, and the answers below /api/v1/ext. The check "
                           "schema compares their views, triggers and policies.");
}

}  // namespace svc::devapi::verification
