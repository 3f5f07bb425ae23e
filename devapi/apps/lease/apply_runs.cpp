#include "apps/lease/apply_runs.hpp"

namespace svc::devapi {
namespace {

ApplyRun read_run(const pqxx::row& row) {
    return {row[0].c_str(),
            lease_kind(row[1].c_str()),
            lease_stage(row[2].c_str()),
            base::read_word<LeaseEnd>(row[3].c_str()),
            row[4].as<std::int64_t>(),
            row[5].c_str(),
            row[6].c_str(),
            row[7].c_str(),
            base::read_word<Recovered>(row[8].c_str()).value_or(Recovered::no)};
}

}  // namespace

std::vector<ApplyRun> last_runs(Store& store, const std::string& project) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<ApplyRun> out;
        for (const auto& row :
             tx.exec_params("select id, kind, stage, status, coalesce(version, 0), "
                            "iso(started_at), iso(ended_at), error, recovered from apply_run "
                            "where project_id = $1 and kind <> 'migrate' order by started_at desc, "
                            "id desc limit 10",
                            project))
            out.push_back(read_run(row));
        return out;
    });
}

}  // namespace svc::devapi
