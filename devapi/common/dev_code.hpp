// The closed list of error codes that the developer API has beside those of app servers
// (http/error.hpp), each with its status.
#pragma once

#include <string_view>

#include "http/error.hpp"

namespace svc::devapi {

enum class DevCode {
    unauthenticated,
    session_required,
    forbidden_scope,
    forbidden_role,
    secret_not_found,
    invalid_scope,
    contract_invalid,
    project_busy,
    hand_edited_files,
    stale_contract,  // 409: not based on the version that is live
    build_failed,
    login_pending,     // 428: a client's sign-in that nobody has decided yet
    login_refused,     // 403
    verify_failed,     // 422
    subdomain_taken,   // 409
    snapshot_damaged,  // 409: its file is not what was written
    restore_failed,    // 500, with the stage
};

std::string_view name(DevCode code);
int status(DevCode code);

// A code of either list.
struct AnyCode {
    std::string_view name;
    int status;

    AnyCode(Code code) : name(svc::name(code)), status(svc::status(code)) {}
    AnyCode(DevCode code) : name(devapi::name(code)), status(devapi::status(code)) {}
};

}  // namespace svc::devapi
