#include "operate/topics.hpp"

#include <algorithm>
#include <pqxx/pqxx>
#include <string_view>
#include <vector>

#include "common/iso_time.hpp"
#include "common/meant.hpp"
#include "feed/topic/topic_name.hpp"
#include "model/flow/topic_name.hpp"
#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

const std::string kUsed =
    "select coalesce(json_agg(json_build_object('topic', topic, 'messages', messages, 'lastAt', " +
    iso_millis("last_at") +
    ") order by last_at desc, topic), '[]') from (select topic, count(*) as messages, "
    "max(at) as last_at from svc.topic_message where at > now() - interval '24 hours' "
    "and topic not like 'svc:%' "
    "group by topic order by last_at desc, topic limit 500) used";

// Names in the list `key` of the live contract.
std::vector<std::string> named(pqxx::transaction_base& tx, const char* key) {
    std::vector<std::string> out;
    for (const auto& row : tx.exec_params(
             "select n ->> 'name' from svc.contract, json_array_elements("
             "coalesce(contract::json -> $1, '[]')) with ordinality e(n, place) order by place",
             key))
        out.emplace_back(row[0].c_str());
    return out;
}

// As the app's servers match it.
bool is_declared(const std::string& declared, const std::string& topic) {
    const auto pieces = model::pieces_of(declared);
    const std::vector<std::string_view> views(pieces.begin(), pieces.end());
    const Topic one{declared, views};
    return feed::find_topic({&one, 1}, topic).topic != nullptr;
}

bool is_used(pqxx::transaction_base& tx, const std::string& topic) {
    return tx.exec1(kHasTopics)[0].as<bool>() &&
           tx.exec_params(
                 "select exists (select from svc.topic_message where topic = $1 and at > "
                 "now() - interval '24 hours')",
                 topic)[0][0]
               .as<bool>();
}

}  // namespace

std::string topics_json(const std::string& database) {
    Reading reading(database);
    const std::string declared =
        reading.tx.exec1("select coalesce(contract::json -> 'topics', '[]') from svc.contract")[0]
            .c_str();
    const bool has = reading.tx.exec1(kHasTopics)[0].as<bool>();
    const std::string used = has ? reading.tx.exec1(kUsed)[0].c_str() : "[]";
    return "{\"topics\":" + declared + ",\"used\":" + used + '}';
}

std::optional<std::string> unknown_topic(const std::string& database, const std::string& topic) {
    Reading reading(database);
    const auto kind = feed::kind_of(topic);
    if (kind == feed::TopicKind::row_changed) {
        const auto tables = named(reading.tx, "entities");
        const std::string table(feed::table_of(topic));
        if (std::ranges::find(tables, table) != tables.end()) return std::nullopt;
        return with_meant("There is no table '" + table + "'.", table, tables);
    }
    const auto names = named(reading.tx, "topics");
    const auto declares = [&](const std::string& name) { return is_declared(name, topic); };
    const std::string none = "There is no topic '" + topic + "'.";
    if (kind == feed::TopicKind::foreign)
        return none + " A topic with a colon begins with app: or row-changed:.";
    if (names.empty() || feed::is_notifications(topic) || std::ranges::any_of(names, declares) ||
        is_used(reading.tx, topic))
        return std::nullopt;
    return with_meant(none, topic, names) +
           " To use a topic that the contract does not declare, send undeclared=true "
           "(--undeclared).";
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
