#include "connector/audit.hpp"

#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::connector {
namespace {

constexpr std::string_view kRecord =
    "select svc.record_connector_call($1::uuid, $2::text, $3::text, $4::text, $5::text,"
    " $6::integer, $7::text, $8::integer)";

}  // namespace

Task<> record(db::Pool& system, Counts& counts, const CallRecord& call, const Outcome& outcome) {
    (outcome.ok() ? counts.done : counts.failed) += 1;
    const std::string http = std::to_string(outcome.status), ms = std::to_string(call.ms());
    const db::Param params[] = {call.user.empty() ? db::Param() : db::Param(call.user),
                                call.source,
                                call.kind,
                                call.target,
                                outcome.ok() ? "done" : "failed",
                                outcome.status == 0 ? db::Param() : db::Param(http),
                                outcome.error,
                                ms};
    const db::Command command = identity::command("svc_connector_call", kRecord, params);
    const db::Outcome written = co_await system.run({&command, 1});
    if (!written.ok)
        log::write(log::Level::warning, "connector_call_not_recorded",
                   {{"target", call.target}, {"sqlstate", written.error().sqlstate}});
}

}  // namespace svc::connector
