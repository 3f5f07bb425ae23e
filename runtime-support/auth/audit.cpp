#include "auth/audit.hpp"

#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::auth {
namespace {

constexpr std::string_view kAuditInsert =
    "insert into svc.audit (event, account_id, actor_id, email, detail, address)"
    " values ($1::text, $2::uuid, $3::uuid, $4::text, $5::text, $6::text)";

db::Param or_null(std::string_view id) { return id.empty() ? db::Param() : db::Param(id); }

}  // namespace

AuditRow::AuditRow(const Call& call, const Entry& entry)
    : params_{entry.event,  or_null(entry.account_id), or_null(entry.actor_id), entry.email,
              entry.detail, call.exchange.remote()} {}

db::Command AuditRow::command() const {
    return identity::command("svc_audit", kAuditInsert, params_);
}

Task<> audit(const Call& call, AuditRow::Entry entry) {
    const AuditRow row(call, entry);
    const db::Command command = row.command();
    const db::Outcome outcome = co_await call.in.system.run({&command, 1});
    if (!outcome.ok)
        log::write(log::Level::warning, "audit_failed",
                   {{"event", std::string(entry.event)}, {"what", outcome.error().loggable()}});
}

}  // namespace svc::auth
