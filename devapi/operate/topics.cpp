#include "operate/topics.hpp"

#include <pqxx/pqxx>

#include "common/iso_time.hpp"

namespace svc::devapi {
namespace {

const std::string kUsed =
    "select coalesce(json_agg(json_build_object('topic', topic, 'messages', messages, 'lastAt', " +
    iso_millis("last_at") +
    ") order by last_at desc, topic), '[]') from (select topic, count(*) as messages, "
    "max(at) as last_at from svc.topic_message where at > now() - interval '24 hours' "
    "and topic not like 'svc:%' "
    "group by topic order by last_at desc, topic limit 500) used";

}  // namespace

std::string topics_json(const std::string& database) {
    pqxx::connection connection(database);
    pqxx::read_transaction tx(connection);
    tx.exec0("set local statement_timeout = '10s'");
    const std::string declared =
        tx.exec1("select coalesce(contract::json -> 'topics', '[]') from svc.contract")[0].c_str();
    const bool has = tx.exec1(kHasTopics)[0].as<bool>();
    const std::string used = has ? tx.exec1(kUsed)[0].c_str() : "[]";
    return "{\"topics\":" + declared + ",\"used\":" + used + '}';
}

bool publish(const std::string& database, const std::string& topic, const std::string& payload) {
    pqxx::connection connection(database);
    pqxx::work tx(connection);
    if (!tx.exec1(kHasTopics)[0].as<bool>()) return false;
    tx.exec_params("select svc.publish($1, $2::json)", topic, payload);
    tx.commit();
    return true;
}

}  // namespace svc::devapi
