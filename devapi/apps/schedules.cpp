#include "apps/schedules.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <pqxx/pqxx>

#include "common/next_times.hpp"

namespace svc::devapi {
namespace {

using nlohmann::ordered_json;

std::int64_t now_micros() {
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

bool starts_by_clock(const plan::PlannedFlow& flow) { return !flow.cron.empty() || flow.every > 0; }

// The start of the live schedule. None if the flow has no live schedule, or another one. A database
// that an earlier compiler made has no schedules at all.
std::optional<std::int64_t> live_since(pqxx::transaction_base& tx, const plan::PlannedFlow& flow) {
    const auto rows = tx.exec_params(
        "select (extract(epoch from since) * 1000000)::bigint from svc.schedule "
        "where workflow = $1 and spec - 'catchUp' = $2::jsonb - 'catchUp'",
        flow.name, flow.trigger);
    if (rows.empty()) return std::nullopt;
    return rows[0][0].as<std::int64_t>();
}

ordered_json schedule_json(const plan::PlannedFlow& flow, std::int64_t since, std::int64_t now) {
    NextTimes next = next_times(flow.trigger, since, now);
    ordered_json out = {{"workflow", flow.name}};
    if (flow.cron.empty())
        out["every"] = flow.every;
    else
        out["cron"] = flow.cron;
    out["zone"] = std::move(next.zone);
    out["next"] = next.times;
    return out;
}

}  // namespace

std::string schedules_json(const plan::Plan& plan, const AppDatabase* live) {
    const auto& flows = plan.flows.all;
    ordered_json out = ordered_json::array();
    if (std::none_of(flows.begin(), flows.end(), starts_by_clock)) return out.dump();
    std::optional<pqxx::connection> connection;
    std::optional<pqxx::read_transaction> tx;
    if (live) tx.emplace(connection.emplace(live->admin_url));
    const bool known =
        tx && tx->exec1("select to_regclass('svc.schedule') is not null")[0].as<bool>();
    const std::int64_t now = now_micros();
    for (const plan::PlannedFlow& flow : flows)
        if (starts_by_clock(flow))
            out.push_back(schedule_json(
                flow, (known ? live_since(*tx, flow) : std::nullopt).value_or(now), now));
    return out.dump();
}

}  // namespace svc::devapi
