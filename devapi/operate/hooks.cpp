#include "operate/hooks.hpp"

#include <pqxx/pqxx>

#include "common/iso_time.hpp"
#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

// Reads svc.hook_in: the service signs with a secret of its own, and the contract names none
// (hook::brings_its_secret); or it names one that the project does not have.
const std::string kLacksSecret =
    "case when h.secret = '' then h.scheme in ('stripe', 'slack', 'shopify') "
    "when h.scheme = 'none' then false "
    "else not exists (select from svc.secret p where p.name = h.secret) end";

const std::string kIn =
    "(select coalesce(json_agg(json_build_object('name', h.name, 'scheme', h.scheme, "
    "'lacksSecret', " +
    kLacksSecret + ", 'workflows', h.workflows, 'lastAt', " +
    iso_millis(
        "greatest(h.last_at, (select max(s.at) from svc.hook_seen s where s.hook = h.name))") +
    ") order by h.name), '[]') from svc.hook_in h)";

const std::string kOut =
    "(select coalesce(json_agg(json_build_object('name', h.name, 'url', h.url, "
    "'events', (select coalesce(json_agg(e.table_name || '.' || e.event order by 1), '[]') "
    "from svc.hook_event e where e.hook = h.name), "
    "'waiting', (select count(*) from svc.delivery d where d.hook = h.name "
    "and d.status in ('waiting', 'sending')), "
    "'dead', (select count(*) from svc.delivery d where d.hook = h.name and d.status = 'dead' "
    "and d.ended_at is not null), 'failingSince', " +
    iso_millis("t.failing_since") + ", 'offAt', " + iso_millis("t.off_at") +
    ") order by h.name), '[]') from svc.hook_out h left join svc.hook_out_state t "
    "on t.hook = h.name)";

constexpr const char* kHasHooks = "select to_regclass('svc.hook_out_state') is not null";

const std::string kOff =
    "select coalesce(json_agg(json_build_object('name', h.name, 'failingSince', " +
    iso_millis("t.failing_since") + ", 'offAt', " + iso_millis("t.off_at") +
    ") order by h.name), '[]') from svc.hook_out h join svc.hook_out_state t on t.hook = h.name "
    "where t.off_at is not null";

const std::string kLacking =
    "select coalesce(json_agg(json_build_object('name', h.name, 'scheme', h.scheme, 'secret', "
    "nullif(h.secret, '')) order by h.name), '[]') from svc.hook_in h where " +
    kLacksSecret;

const std::string kDeliveries =
    "select coalesce(json_agg(d), '[]') from (select d.id, d.hook, d.event, "
    "d.table_name as \"table\", d.row_id as \"rowId\", d.status, d.attempts, case when d.status in "
    "('waiting', 'sending') then " +
    iso_millis("d.next_at") + " end as \"nextAt\", d.last_status as \"lastStatus\", d.error, " +
    iso_millis("d.created_at") + " as \"createdAt\", " + iso_millis("d.ended_at") +
    " as \"endedAt\" from svc.delivery d where ($1 = '' or d.hook = $1) "
    "and ($2 = '' or d.id < nullif($2, '')::uuid) order by d.id desc limit $3) d";

// The list that the statement gives; empty if an earlier compiler built the app.
std::string if_it_has_hooks(const std::string& database, const std::string& sql) {
    Reading reading(database);
    if (!reading.tx.exec1(kHasHooks)[0].as<bool>()) return "[]";
    return reading.tx.exec1(sql)[0].c_str();
}

}  // namespace

std::string hooks_json(const std::string& database) {
    Reading reading(database);
    return reading.tx.exec1("select json_build_object('in', " + kIn + ", 'out', " + kOut + ")")[0]
        .c_str();
}

std::string hooks_off_json(const std::string& database) { return if_it_has_hooks(database, kOff); }

std::string hooks_lacking_secret_json(const std::string& database) {
    return if_it_has_hooks(database, kLacking);
}

std::string deliveries_json(const std::string& database, const DeliveriesRequest& wanted) {
    Reading reading(database);
    return reading.tx.exec_params(kDeliveries, wanted.hook, wanted.before, wanted.limit)[0][0]
        .c_str();
}

std::optional<bool> redeliver(const std::string& database, const std::string& delivery) {
    pqxx::connection connection(database);
    pqxx::work tx(connection);
    if (tx.exec_params("select from svc.delivery where id = $1::uuid", delivery).empty())
        return std::nullopt;
    const bool out = tx.exec_params("select svc.redeliver($1::uuid)", delivery)[0][0].as<bool>();
    tx.commit();
    return out;
}

}  // namespace svc::devapi
