#include "platform/project/deployments.hpp"

#include <algorithm>

#include "base/formats.hpp"
#include "platform/project/domains.hpp"

namespace svc::devapi {
namespace {

// A contract may be of megabytes: lists go without.
constexpr const char *kWithContract = "d.contract", *kWithout = "''";

Deployment deployment_of(const pqxx::row& row) {
    return {.id = row[0].c_str(),
            .project_id = row[1].c_str(),
            .env = env_of(row[2].c_str()),
            .subdomain = row[3].c_str(),
            .status = base::read_word<DeploymentStatus>(row[4].c_str()).value(),
            .version = row[5].as<std::int64_t>(),
            .contract = row[6].c_str(),
            .verify = text_or_none(row[7]),
            .error = row[8].c_str(),
            .created_at = row[9].c_str(),
            .by = text_or_none(row[10])};
}

std::string deployments_where(const std::string& more, const char* contract = kWithContract) {
    return std::string("select d.id, d.project_id, d.env, d.subdomain, d.status, d.version, ") +
           contract +
           ", d.verify, d.error, iso(d.created_at), a.email from deployment d left join account a "
           "on a.id = d.created_by where d.project_id = $1 and " +
           more;
}

// A project's slug and its preview's name are its own also while nothing is published there. Of two
// with the same one the slug comes first; who has had a name keeps it.
bool is_anothers(pqxx::work& tx, const std::string& project, const std::string& name) {
    return !tx.exec_params(
                  "select 1 from subdomain where name = $1 and project_id <> $2 union all "
                  "select 1 from project where slug = $1 and id <> $2 union all "
                  "select 1 from project where slug || '-preview' = $1 and id <> $2 and not exists "
                  "(select from project where slug = $1 and id = $2 union all "
                  "select from subdomain where name = $1 and project_id = $2)",
                  name, project)
                .empty();
}

}  // namespace

bool is_subdomain(const std::string& name) {
    return is_label(name) && !name.starts_with("preview-");
}

bool Deployments::hold(const std::string& project, Env env, const std::string& name) {
    return store_.transact([&](pqxx::work& tx) {
        if (is_anothers(tx, project, name)) return false;
        tx.exec_params(
            "insert into subdomain (name, project_id, env) values ($1, $2, $3) "
            "on conflict (name) do nothing",
            name, project, svc::name(env));
        return !tx.exec_params(
                      "select 1 from subdomain where name = $1 and project_id = $2 and env = $3",
                      name, project, svc::name(env))
                    .empty();
    });
}

void Deployments::let_go(const std::string& project, Env env) {
    store_.transact([&](pqxx::work& tx) { let_go(tx, project, env); });
}

void Deployments::let_go(pqxx::work& tx, const std::string& project, Env env) {
    tx.exec_params("delete from subdomain where project_id = $1 and env = $2 and not live", project,
                   name(env));
}

std::string Deployments::live_name(const std::string& project, Env env) const {
    return store_.transact([&](pqxx::work& tx) -> std::string {
        const auto rows =
            tx.exec_params("select name from subdomain where project_id = $1 and env = $2 and live",
                           project, name(env));
        return rows.empty() ? "" : rows[0][0].c_str();
    });
}

std::string Deployments::free_name(const std::string& project, const std::string& wanted) const {
    return store_.transact([&](pqxx::work& tx) {
        for (int number = 1;; ++number) {
            const std::string tail = number == 1 ? "" : "-" + std::to_string(number);
            std::string name = wanted.substr(0, kLongestLabel - tail.size()) + tail;
            const auto rows = tx.exec_params("select 1 from subdomain where name = $1", name);
            if (rows.empty() && !is_anothers(tx, project, name)) return name;
        }
    });
}

void Deployments::begin(const Deployment& deployment, const std::string& user) {
    store_.transact([&](pqxx::work& tx) {
        tx.exec_params(
            "insert into deployment (id, project_id, env, subdomain, version, contract, verify, "
            "created_by) values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)",
            deployment.id, deployment.project_id, name(deployment.env), deployment.subdomain,
            deployment.version, deployment.contract,
            deployment.verify ? deployment.verify->c_str() : nullptr, user);
    });
}

void Deployments::live(pqxx::work& tx, const std::string& id, bool rollback) {
    const auto rows = tx.exec_params(
        "select project_id, env, subdomain from deployment where id = $1 for update", id);
    if (rows.empty()) return;
    const std::string project = rows[0][0].c_str(), env = rows[0][1].c_str(),
                      name = rows[0][2].c_str();
    tx.exec_params(
        "update deployment set status = $4 where project_id = $1 and env = $2 and "
        "status = 'live' and id <> $3",
        project, env, id, rollback ? "rolled_back" : "superseded");
    tx.exec_params("update deployment set status = 'live', error = '' where id = $1", id);
    // A rollback is of what serves, not of the name that it serves under.
    if (rollback) return;
    tx.exec_params("delete from subdomain where project_id = $1 and env = $2 and name <> $3",
                   project, env, name);
    tx.exec_params("update subdomain set live = true where name = $1 and project_id = $2", name,
                   project);
}

void Deployments::failed(pqxx::work& tx, const std::string& id, const std::string& error) {
    tx.exec_params(
        "update deployment set status = 'failed', error = $2 where id = $1 and "
        "status = 'deploying'",
        id, error);
}

std::optional<Deployment> Deployments::find(const std::string& project,
                                            const std::string& id) const {
    if (!base::is_uuid(id)) return std::nullopt;
    return store_.transact([&](pqxx::work& tx) -> std::optional<Deployment> {
        const auto rows = tx.exec_params(deployments_where("d.id = $2"), project, id);
        if (rows.empty()) return std::nullopt;
        return deployment_of(rows[0]);
    });
}

std::optional<Deployment> Deployments::live_one(const std::string& project, Env env) const {
    return store_.transact([&](pqxx::work& tx) -> std::optional<Deployment> {
        const auto rows = tx.exec_params(deployments_where("d.env = $2 and d.status = 'live'"),
                                         project, name(env));
        if (rows.empty()) return std::nullopt;
        return deployment_of(rows[0]);
    });
}

std::vector<Deployment> Deployments::list(const std::string& project, bool preview,
                                          int limit) const {
    return store_.transact([&](pqxx::work& tx) {
        std::vector<Deployment> out;
        for (const auto& row :
             tx.exec_params(deployments_where("d.env = $2 and d.status <> 'deploying' "
                                              "order by d.created_at desc, d.id desc limit $3",
                                              kWithout),
                            project, name(preview ? Env::preview : Env::prod), limit))
            out.push_back(deployment_of(row));
        return out;
    });
}

}  // namespace svc::devapi
