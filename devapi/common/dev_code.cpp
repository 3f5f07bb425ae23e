#include "common/dev_code.hpp"

#include <array>
#include <cstddef>

namespace svc::devapi {
namespace {

struct DevCodeRow {
    DevCode code;
    std::string_view name;
    int status;
};

constexpr std::array kDevCodeRows = {
    DevCodeRow{DevCode::unauthenticated, "UNAUTHENTICATED", 401},
    DevCodeRow{DevCode::session_required, "SESSION_REQUIRED", 403},
    DevCodeRow{DevCode::forbidden_scope, "FORBIDDEN_SCOPE", 403},
    DevCodeRow{DevCode::forbidden_role, "FORBIDDEN_ROLE", 403},
    DevCodeRow{DevCode::secret_not_found, "SECRET_NOT_FOUND", 404},
    DevCodeRow{DevCode::invalid_scope, "INVALID_SCOPE", 400},
    DevCodeRow{DevCode::contract_invalid, "CONTRACT_INVALID", 422},
    DevCodeRow{DevCode::project_busy, "PROJECT_BUSY", 409},
    DevCodeRow{DevCode::hand_edited_files, "HAND_EDITED_FILES", 409},
    DevCodeRow{DevCode::stale_contract, "STALE_CONTRACT", 409},
    DevCodeRow{DevCode::build_failed, "BUILD_FAILED", 500},
    DevCodeRow{DevCode::login_pending, "LOGIN_PENDING", 428},
    DevCodeRow{DevCode::login_refused, "LOGIN_REFUSED", 403},
    DevCodeRow{DevCode::verify_failed, "VERIFY_FAILED", 422},
    DevCodeRow{DevCode::subdomain_taken, "SUBDOMAIN_TAKEN", 409},
    DevCodeRow{DevCode::snapshot_damaged, "SNAPSHOT_DAMAGED", 409},
    DevCodeRow{DevCode::restore_failed, "RESTORE_FAILED", 500},
};

constexpr bool dev_codes_in_order() {
    for (std::size_t i = 0; i < kDevCodeRows.size(); ++i) {
        if (static_cast<std::size_t>(kDevCodeRows[i].code) != i) return false;
    }
    return kDevCodeRows.size() == static_cast<std::size_t>(DevCode::restore_failed) + 1;
}
static_assert(dev_codes_in_order(), "every code has its row, at its place");

}  // namespace

std::string_view name(DevCode code) { return kDevCodeRows[static_cast<std::size_t>(code)].name; }

int status(DevCode code) { return kDevCodeRows[static_cast<std::size_t>(code)].status; }

}  // namespace svc::devapi
