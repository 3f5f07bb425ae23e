#include "platform/project/apply_runs.hpp"

namespace svc::devapi {

std::vector<ApplyRun> last_runs(Store& store, const std::string& project) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<ApplyRun> out;
        for (const auto& row :
             tx.exec_params("select id, kind, stage, iso(started_at), coalesce(status, 'running'), "
                            "coalesce(version, 0), iso(ended_at), error, recovered from apply_run "
                            "where project_id = $1 and kind <> 'migrate' order by started_at desc, "
                            "id desc limit 10",
                            project))
            out.push_back({row[0].c_str(), row[1].c_str(), row[2].c_str(), row[3].c_str(),
                           row[4].c_str(), row[5].as<std::int64_t>(), row[6].c_str(),
                           row[7].c_str(), row[8].c_str()});
        return out;
    });
}

}  // namespace svc::devapi
