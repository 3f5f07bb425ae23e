#include "platform/untold_keys.hpp"

namespace svc::devapi {

std::vector<std::string> projects_with_untold_keys(Store& store) {
    return store.transact([](pqxx::work& tx) {
        std::vector<std::string> out;
        for (const auto& row : tx.exec("select project_id from keys_untold"))
            out.emplace_back(row[0].c_str());
        return out;
    });
}

std::optional<std::int64_t> untold_changes(Store& store, const std::string& project_id) {
    return store.transact([&](pqxx::work& tx) -> std::optional<std::int64_t> {
        const auto rows =
            tx.exec_params("select changes from keys_untold where project_id = $1", project_id);
        if (rows.empty()) return std::nullopt;
        return rows[0][0].as<std::int64_t>();
    });
}

void keys_are_told(Store& store, const std::string& project_id, std::int64_t changes) {
    store.transact([&](pqxx::work& tx) {
        tx.exec_params("delete from keys_untold where project_id = $1 and changes = $2", project_id,
                       changes);
    });
}

}  // namespace svc::devapi
