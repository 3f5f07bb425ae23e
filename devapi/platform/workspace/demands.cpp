#include "platform/workspace/demands.hpp"

namespace svc::devapi {

void set_demand(Store& store, const std::string& workspace_id, bool required) {
    store.transact([&](pqxx::work& tx) {
        tx.exec_params0("update workspace set require_mfa = $2::boolean where id = $1",
                        workspace_id, required);
    });
}

bool kept_out(Store& store, const Caller& caller, const std::string& workspace_id) {
    if (caller.second_factor) return false;
    return store.transact([&](pqxx::work& tx) {
        return !tx.exec_params("select from workspace where id = $1 and require_mfa", workspace_id)
                    .empty();
    });
}

std::set<std::string> with_factor(Store& store, const std::string& workspace_id) {
    return store.transact([&](pqxx::work& tx) {
        std::set<std::string> out;
        for (const auto& row :
             tx.exec_params("select a.email from member m join account a on a.id = m.user_id "
                            "where m.workspace_id = $1 and has_factor(a.id)",
                            workspace_id))
            out.insert(row[0].c_str());
        return out;
    });
}

}  // namespace svc::devapi
