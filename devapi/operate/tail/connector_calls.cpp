#include "operate/tail/connector_calls.hpp"

#include <algorithm>
#include <pqxx/pqxx>

#include "common/iso_time.hpp"

namespace svc::devapi {
namespace {

// A row may be committed after one that was written later.
constexpr std::int64_t kLate = 10'000'000;  // microseconds
constexpr int kMostCalls = 2000;

constexpr const char* kHasCalls = "select to_regclass('svc.connector_call') is not null";

const std::string kCalls =
    "select (extract(epoch from c.created_at) * 1000000)::bigint, c.id, json_build_object('at', " +
    iso_millis("c.created_at") +
    ", 'kind', 'call', 'source', c.source, 'does', c.kind, 'target', c.target, 'actor', "
    "c.account_id, 'status', c.status, 'http', c.http, 'error', nullif(c.error, ''), 'ms', c.ms) "
    "from (select * from svc.connector_call where created_at > 'epoch'::timestamptz + $1::bigint * "
    "interval '1 microsecond' order by created_at desc, id desc limit $2) c "
    "order by c.created_at, c.id";

}  // namespace

std::vector<ConnectorCalls::Call> ConnectorCalls::next() {
    pqxx::connection connection(database_);
    pqxx::read_transaction tx(connection);
    std::vector<Call> out;
    // The database of an older compiler has none.
    if (!tx.exec1(kHasCalls)[0].as<bool>()) return out;
    const std::int64_t from = std::max(since_, last_ - kLate);
    for (const auto& row : tx.exec_params(kCalls, from, kMostCalls)) {
        const auto at = row[0].as<std::int64_t>();
        if (!recent_.emplace(row[1].c_str(), at).second) continue;
        out.push_back({at, row[2].c_str()});
        last_ = std::max(last_, at);
    }
    std::erase_if(recent_, [this](const auto& one) { return one.second <= last_ - kLate; });
    return out;
}

}  // namespace svc::devapi
