// Records what a migration made, what it deferred, and the contract.
#include "migrate/migration.hpp"

namespace svc::migrate {

std::string Migration::row(std::initializer_list<std::string> texts, const std::string& more) {
    std::string out;
    for (const auto& text : texts) out += (out.empty() ? "(" : ",") + connection_.quote(text);
    return out + more + ")";
}

void Migration::remember() {
    std::string gone, made;
    for (const Key& key : diff_.gone) {
        gone +=
            (gone.empty() ? "" : ",") + row({std::string(base::word(key.first)), key.second}, "");
    }
    std::int64_t place = 0;
    for (const auto& [key, recorded] : schema_.recorded) place = std::max(place, recorded.place);
    for (const MadeObject& one : diff_.made) {
        made += (made.empty() ? "" : ",") + row({std::string(base::word(one.key.first)),
                                                 one.key.second, one.hash, one.drop_sql},
                                                "," + std::to_string(++place));
    }
    if (!gone.empty()) tx_->exec("delete from svc.managed where (kind, name) in (" + gone + ")");
    if (made.empty()) return;
    tx_->exec("insert into svc.managed (kind, name, hash, drop_sql, place) values " + made +
              " on conflict (kind, name) do update set hash = excluded.hash,"
              " drop_sql = excluded.drop_sql, place = excluded.place");
}

// Deferred work ends if its object is made again or no longer wanted, unless it is deferred again.
void Migration::remember_later() {
    std::string over, later;
    const auto end = [&](const Key& key) {
        if (schema_.later.contains(key))
            over += (over.empty() ? "" : ",") +
                    row({std::string(base::word(key.first)), key.second}, "");
    };
    for (const Key& key : diff_.gone) end(key);
    for (const Key& key : diff_.settled) end(key);
    for (const MadeObject& one : diff_.made) end(one.key);
    for (const DeferredStep& one : diff_.later) {
        later += (later.empty() ? "" : ",") + row({std::string(base::word(one.key.first)),
                                                   one.key.second, one.table, one.sql, one.path},
                                                  "");
    }
    if (!over.empty()) tx_->exec("delete from svc.pending where (kind, name) in (" + over + ")");
    if (later.empty()) return;
    tx_->exec("insert into svc.pending (kind, name, table_name, sql, path) values " + later +
              " on conflict (kind, name) do update set sql = excluded.sql, error = ''");
}

// PostgreSQL's definition of a deferred object is not final.
void Migration::print_found() {
    std::string printed;
    const auto found = read_found(*tx_, target_.data_role);
    std::map<Key, std::string> known;
    for (const auto& [key, recorded] : schema_.recorded) known[key] = recorded.printed;
    for (const MadeObject& one : diff_.made) known.try_emplace(one.key);
    for (const Key& key : diff_.gone) known.erase(key);
    for (const auto& [key, was] : known) {
        const bool grant = key.first == ObjectKind::grant;
        const auto now = found.find(grant ? Key{ObjectKind::rights, grant_table(key.second)} : key);
        const std::string text = now == found.end() ? "" : now->second.printed;
        if (text == was) continue;
        printed += (printed.empty() ? "" : ",") +
                   row({std::string(base::word(key.first)), key.second, text}, "");
    }
    if (printed.empty()) return;
    tx_->exec("update svc.managed m set printed = n.printed from (values " + printed +
              ") n (kind, name, printed) where m.kind = n.kind and m.name = n.name");
}

std::string Migration::grant_table(const std::string& grant) const {
    for (const auto& routine : plan_.routines) {
        if (routine.kind == plan::Routine::Kind::grant && routine.name == grant)
            return routine.table;
    }
    return {};
}

void Migration::keep(const Record& record) {
    tx_->exec_params0(
        "insert into svc.contract (only_one, version, contract, hash, binary_path, apply_id,"
        " fence) values (true, $1, $2, $3, $4, nullif($5, '')::uuid, $6)"
        " on conflict (only_one) do update set version = $1, contract = $2, hash = $3,"
        " binary_path = $4, apply_id = nullif($5, '')::uuid, fence = $6, applied_at = now()",
        record.version, record.contract, record.hash, record.binary_path, record.apply_id,
        record.token);
}

}  // namespace svc::migrate
