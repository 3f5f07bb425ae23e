#include "operate/payments.hpp"

#include <pqxx/pqxx>

#include "common/iso_time.hpp"
#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

// Only the latest entry of an order counts, because it replaces the earlier ones.
const std::string kLatest =
    "not exists (select from svc.payment l where l.order_id = p.order_id and l.seq > p.seq)";

const std::string kShown =
    "p.id, p.table_name as \"table\", p.order_id as \"orderId\", p.method, p.provider, p.status, "
    "p.amount as \"amountCents\", p.currency, p.note, " +
    iso_millis("p.created_at") + " as \"createdAt\", " + iso_millis("p.ended_at") +
    " as \"endedAt\", " + kLatest + " as latest";

const std::string kList =
    "select coalesce(json_agg(p), '[]') from (select " + kShown +
    " from svc.payment p where ($1 = '' or p.status = $1 and ($1 <> 'due' or " + kLatest +
    ")) "
    "and ($2 = '' or p.order_id = nullif($2, '')::uuid) "
    "and ($3 = '' or p.seq < (select b.seq from svc.payment b where b.id = nullif($3, '')::uuid)) "
    "order by p.seq desc limit $4) p";

const std::string kOne =
    "select row_to_json(o) from (select " + kShown + ", p.session, " + iso_millis("p.session_end") +
    " as \"sessionExpiresAt\", " + iso_millis("p.poll_at") +
    " as \"nextPollAt\", p.settled_by as \"settledBy\", p.actor as \"actorId\", p.lines, "
    "(select coalesce(json_agg(json_build_object('at', " +
    iso_millis("e.at") +
    ", 'status', e.status, 'what', e.what, 'actorId', e.actor, 'detail', e.detail) "
    "order by e.seq), '[]') from svc.payment_event e where e.payment_id = p.id) as events "
    "from svc.payment p where p.id = $1::uuid) o";

constexpr const char* kEnd =
    "select status, ended from svc.end_payment($1::uuid, 'failed', 'operator', $2, nullif($3, ''))";

bool there_is(const std::string& database, const char* what) {
    pqxx::connection connection(database);
    pqxx::read_transaction tx(connection);
    return tx.exec1(std::string("select ") + what + " is not null")[0].as<bool>();
}

}  // namespace

bool has_payments(const std::string& database) {
    return there_is(database, "to_regclass('svc.payment_event')");
}

bool can_end_payments(const std::string& database) {
    return there_is(database, "to_regprocedure('svc.end_payment(uuid, text, text, text, text)')");
}

std::string payments_json(const std::string& database, const PaymentsRequest& wanted) {
    Reading reading(database);
    const std::string status(wanted.status ? base::word(*wanted.status) : "");
    return reading.tx.exec_params(kList, status, wanted.order, wanted.before, wanted.limit)[0][0]
        .c_str();
}

std::optional<std::string> payment_json(const std::string& database, const std::string& id) {
    Reading reading(database);
    const auto rows = reading.tx.exec_params(kOne, id);
    if (rows.empty()) return std::nullopt;
    return rows[0][0].c_str();
}

PaymentEnd end_payment(const std::string& database, const std::string& id, const std::string& who,
                       const std::string& note) {
    pqxx::connection connection(database);
    pqxx::work tx(connection);
    const auto row = tx.exec_params1(kEnd, id, who, note);
    tx.commit();
    return {base::read_word<pay::Status>(row[0].c_str()), row[1].as<bool>()};
}

}  // namespace svc::devapi
