#include "platform/keys/unsent.hpp"

namespace svc::devapi {
namespace {

std::string table_of(Unsent what) {
    return what == Unsent::keys ? "keys_unsent" : "secrets_unsent";
}

}  // namespace

std::vector<std::string> unsent_projects(Store& store, Unsent what) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<std::string> out;
        for (const auto& row : tx.exec("select project_id from " + table_of(what)))
            out.emplace_back(row[0].c_str());
        return out;
    });
}

std::optional<std::int64_t> unsent_changes(Store& store, Unsent what,
                                           const std::string& project_id) {
    return store.transact([&](pqxx::work& tx) -> std::optional<std::int64_t> {
        const auto rows = tx.exec_params(
            "select changes from " + table_of(what) + " where project_id = $1", project_id);
        if (rows.empty()) return std::nullopt;
        return rows[0][0].as<std::int64_t>();
    });
}

void mark_sent(Store& store, Unsent what, const std::string& project_id, std::int64_t changes) {
    store.transact([&](pqxx::work& tx) {
        tx.exec_params("delete from " + table_of(what) + " where project_id = $1 and changes = $2",
                       project_id, changes);
    });
}

}  // namespace svc::devapi
