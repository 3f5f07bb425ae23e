#include "platform/keys/unsent.hpp"

namespace svc::devapi {
namespace {

std::string notes_of(Told what) { return what == Told::keys ? "keys_untold" : "secrets_untold"; }

}  // namespace

std::vector<std::string> untold_projects(Store& store, Told what) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<std::string> out;
        for (const auto& row : tx.exec("select project_id from " + notes_of(what)))
            out.emplace_back(row[0].c_str());
        return out;
    });
}

std::optional<std::int64_t> untold_changes(Store& store, Told what, const std::string& project_id) {
    return store.transact([&](pqxx::work& tx) -> std::optional<std::int64_t> {
        const auto rows = tx.exec_params(
            "select changes from " + notes_of(what) + " where project_id = $1", project_id);
        if (rows.empty()) return std::nullopt;
        return rows[0][0].as<std::int64_t>();
    });
}

void all_told(Store& store, Told what, const std::string& project_id, std::int64_t changes) {
    store.transact([&](pqxx::work& tx) {
        tx.exec_params("delete from " + notes_of(what) + " where project_id = $1 and changes = $2",
                       project_id, changes);
    });
}

}  // namespace svc::devapi
