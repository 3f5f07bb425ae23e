// Rows of other databases: the clone has no account there, so nothing of them is tried.
#include "verify/subject.hpp"

namespace svc::devapi::verification {

void check_external(Subject& subject, VerifyCheck& out) {
    std::string names;
    for (const auto& entity : subject.model.entities)
        if (entity.external) names += (names.empty() ? "" : ", ") + entity.name;
    not_run(out, names.empty()
                     ? "The contract has no entities of other databases."
                     : "Nothing is tried on rows of other databases, which a verification must not "
                       "write to: who reaches which rows of " +
                           names +
                           ", their fields and rules, and what is answered below /api/v1/ext. "
                           "That their views, triggers and policies are as they were made is part "
                           "of schema.");
}

}  // namespace svc::devapi::verification
