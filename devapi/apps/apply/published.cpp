// Records the end of a deployment: its server serves, or never will.
#include "apps/apply/apply.hpp"
#include "apps/process/app_places.hpp"
#include "apps/process/binaries.hpp"
#include "platform/project/deployments.hpp"

namespace svc::devapi {
namespace {

// The binaries that an environment may be rolled back to at once. Older ones are built anew.
constexpr int kKeptBinaries = 20;

void sweep_binaries(const ApplyServices& services, const ProjectRef& project, Env env,
                    const std::string& live) {
    const std::set<std::string> kept = services.store.transact([&](pqxx::work& tx) {
        std::set<std::string> paths{live};
        for (const auto& row : tx.exec_params(
                 "select binary_path from deployment where project_id = $1 and env = $2 and "
                 "status in ('live', 'superseded', 'rolled_back') order by created_at desc limit "
                 "$3",
                 project.id, name(env), kKeptBinaries))
            paths.insert(row[0].c_str());
        return paths;
    });
    drop_binaries(project_folder(services.config, project.id, env) + "/bin", kept);
}

}  // namespace

void mark_live(const ApplyServices& services, Lease& lease) {
    const Lease::Row& row = lease.row();
    const auto record = read_record(app_database(services.config, row.project.id, row.env));
    const std::string binary = record ? record->binary_path : "";
    lease.commit([&](pqxx::work& tx) {
        tx.exec_params("update deployment set binary_path = $2 where id = $1", row.subject, binary);
        Deployments::live(tx, row.subject, row.kind == LeaseKind::rollback);
    });
    services.published();
    sweep_binaries(services, row.project, row.env, binary);
}

void mark_gone(const ApplyServices& services, Lease& lease) {
    const std::string& project = lease.row().project.id;
    const Env env = lease.row().env;
    lease.commit([&](pqxx::work& tx) {
        tx.exec_params(
            "update deployment set status = 'superseded' where project_id = $1 and env = $2 and "
            "status = 'live'",
            project, name(env));
        for (const char* table : {"subdomain", "project_database"})
            tx.exec_params(
                std::string("delete from ") + table + " where project_id = $1 and env = $2",
                project, name(env));
    });
    if (services.config.generations) services.config.generations->set({project, env}, 1);
    services.published();
}

void mark_failed(Lease& lease, const std::string& error) {
    const Lease::Row& row = lease.row();
    lease.commit([&](pqxx::work& tx) {
        Deployments::failed(tx, row.subject, error);
        Deployments::let_go(tx, row.project.id, row.env);
    });
}

}  // namespace svc::devapi
