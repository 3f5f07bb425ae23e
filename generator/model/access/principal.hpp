// A principal of access lists and pages. `any` is "*".
#pragma once

#include <string>

namespace svc::model {

struct Principal {
    enum class Kind { any, guest, signed_in, consumer, staff, server, persona, org_role } kind;
    std::string name;  // persona id or organisation role
};

}  // namespace svc::model
