// The record of what happened to accounts (svc.audit).
#pragma once

#include <string>
#include <string_view>

#include "auth/context.hpp"

namespace svc::auth {

// A row of the audit record. Its command runs in the transaction of the event that it records.
// Views, which must outlive the exchange with the database.
class AuditRow {
  public:
    struct Entry {
        std::string_view event{};  // signup, login, login_failed, …: docs/security.md lists them
        std::string_view account_id{};  // empty: not known
        std::string_view actor_id{};    // empty: they themselves
        std::string_view email{};
        std::string_view detail{};
    };
    AuditRow(const Call& call, const Entry& entry);
    AuditRow(const AuditRow&) = delete;
    AuditRow& operator=(const AuditRow&) = delete;
    db::Command command() const;

  private:
    db::Param params_[6];
};

// Writes a row alone, if there is nothing else to write. A failure is logged and stops nothing.
Task<> audit(const Call& call, AuditRow::Entry entry);

}  // namespace svc::auth
