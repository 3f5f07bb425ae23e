#include "platform/secrets.hpp"

#include <nlohmann/json.hpp>

#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "log/log.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kKeyIdBytes = 8;

// A value that is moved to another project, name or environment does not open there.
std::string context_of(const std::string& project, const std::string& name,
                       const std::string& env) {
    return project + "/" + name + "/" + env;
}

constexpr const char* kSecretColumns = "name, env, iso(updated_at), array_to_json(hosts)";

// Whether who began an apply may set secrets of its project.
constexpr const char* kMaySet =
    "coalesce(m.role in ('admin', 'owner'), false)"
    " from apply_run r join project p on p.id = r.project_id"
    " left join member m on m.workspace_id = p.workspace_id and m.user_id = r.user_id";

SecretRecord read_secret(const pqxx::row& row) {
    SecretRecord out{row[0].c_str(), row[1].c_str(), row[2].c_str()};
    if (!row[3].is_null())
        out.hosts = nlohmann::json::parse(row[3].c_str()).get<std::vector<std::string>>();
    return out;
}

std::optional<std::string> as_json(const SecretHosts& hosts) {
    return hosts ? std::optional(nlohmann::json(*hosts).dump()) : std::nullopt;
}

}  // namespace

Secrets::Secrets(Store& store, const std::string& master_key)
    : store_(store),
      key_(base::derive_key(master_key, "secrets")),
      key_id_(base::hex(base::derive_key(master_key, "id of the key of secrets"))
                  .substr(0, 2 * kKeyIdBytes)) {}

Secrets::Kept Secrets::put(const std::string& project, const std::string& name,
                           const std::string& env, const std::string& value,
                           const SecretHosts& hosts) {
    const std::string sealed = base::hex(base::seal(key_, context_of(project, name, env), value));
    return store_.transact([&](pqxx::work& tx) {
        const auto row = tx.exec_params1(
            "insert into project_secret (project_id, name, env, sealed, key_id, hosts)"
            " values ($1, $2, $3, decode($4, 'hex'), $5, case when $6::jsonb is not null then"
            " array(select jsonb_array_elements_text($6::jsonb)) end)"
            " on conflict (project_id, name, env) do update set sealed = excluded.sealed,"
            " key_id = excluded.key_id, updated_at = now(),"
            " hosts = coalesce(excluded.hosts, project_secret.hosts)"
            " returning xmax = 0, iso(updated_at)",
            project, name, env, sealed, key_id_, as_json(hosts));
        return Kept{row[0].as<bool>(), row[1].c_str()};
    });
}

std::vector<SecretRecord> Secrets::list(const std::string& project) const {
    return store_.transact([&](pqxx::work& tx) {
        std::vector<SecretRecord> out;
        for (const auto& row :
             tx.exec_params(std::string("select ") + kSecretColumns +
                                " from project_secret where project_id = $1 order by name, env",
                            project))
            out.push_back(read_secret(row));
        return out;
    });
}

void Secrets::bind(const std::string& project, const std::string& name,
                   const std::vector<std::string>& hosts, bool older) const {
    store_.transact([&](pqxx::work& tx) {
        tx.exec_params(
            "update project_secret set older = false,"
            " hosts = array(select jsonb_array_elements_text($3::jsonb))"
            " where project_id = $1 and name = $2 and hosts is null and (older or not $4)",
            project, name, nlohmann::json(hosts).dump(), older);
    });
}

std::optional<SecretRecord> Secrets::allow(const std::string& project, const std::string& name,
                                           const std::string& env,
                                           const std::vector<std::string>& hosts) const {
    return store_.transact([&](pqxx::work& tx) -> std::optional<SecretRecord> {
        const auto rows = tx.exec_params(
            std::string("update project_secret set hosts = array(select distinct unnest(hosts ||"
                        " array(select jsonb_array_elements_text($4::jsonb))) order by 1)"
                        " where project_id = $1 and name = $2 and env = $3 returning ") +
                kSecretColumns,
            project, name, env, nlohmann::json(hosts).dump());
        if (rows.empty()) return std::nullopt;
        return read_secret(rows[0]);
    });
}

std::optional<SecretRecord> Secrets::find(const std::string& project, const std::string& name,
                                          const std::string& env) const {
    return store_.transact([&](pqxx::work& tx) -> std::optional<SecretRecord> {
        const auto rows =
            tx.exec_params(std::string("select ") + kSecretColumns +
                               " from project_secret where project_id = $1 and name = $2"
                               " and env in ($3, 'all') order by env = 'all' limit 1",
                           project, name, env);
        if (rows.empty()) return std::nullopt;
        return read_secret(rows[0]);
    });
}

bool Secrets::set_by_who_began(const std::string& apply_run) const {
    return store_.transact([&](pqxx::work& tx) {
        const auto rows =
            tx.exec_params(std::string("select ") + kMaySet + " where r.id = $1", apply_run);
        return !rows.empty() && rows[0][0].as<bool>();
    });
}

bool Secrets::set_by_who_applied(const std::string& project) const {
    return store_.transact([&](pqxx::work& tx) {
        const auto rows =
            tx.exec_params(std::string("select ") + kMaySet +
                               " where r.project_id = $1 and r.env = 'dev' and r.kind = 'apply'"
                               " and r.status = 'applied' order by r.started_at desc limit 1",
                           project);
        return !rows.empty() && rows[0][0].as<bool>();
    });
}

std::vector<std::string> Secrets::remove(const std::string& project, const std::string& name,
                                         const std::string& env) {
    return store_.transact([&](pqxx::work& tx) {
        std::vector<std::string> out;
        for (const auto& row :
             tx.exec_params("with gone as (delete from project_secret where project_id = $1"
                            " and name = $2 and ($3 = '' or env = $3) returning env)"
                            " select env from gone order by env",
                            project, name, env))
            out.emplace_back(row[0].c_str());
        return out;
    });
}

std::size_t Secrets::reseal(const Secrets& old) {
    return store_.transact([&](pqxx::work& tx) {
        const auto rows = tx.exec_params(
            "select project_id, name, env, encode(sealed, 'hex') from "
            "project_secret where key_id = $1 for update",
            old.key_id_);
        std::size_t count = 0;
        for (const auto& row : rows) {
            const std::string context = context_of(row[0].c_str(), row[1].c_str(), row[2].c_str());
            const auto text =
                base::unseal(old.key_, context, base::unhex(row[3].c_str()).value_or(""));
            if (!text) continue;
            tx.exec_params0(
                "update project_secret set sealed = decode($4, 'hex'), key_id = $5 where "
                "project_id = $1 and name = $2 and env = $3",
                row[0].c_str(), row[1].c_str(), row[2].c_str(),
                base::hex(base::seal(key_, context, *text)), key_id_);
            ++count;
        }
        return count;
    });
}

std::optional<std::string> Secrets::value(const std::string& project, const std::string& name,
                                          const std::string& env) const {
    const auto rows = store_.transact([&](pqxx::work& tx) {
        return tx.exec_params(
            "select encode(sealed, 'hex'), env from project_secret where project_id = $1"
            " and name = $2 and env in ($3, 'all') order by env = 'all' limit 1",
            project, name, env);
    });
    if (rows.empty()) return std::nullopt;
    const std::string sealed = base::unhex(rows[0][0].c_str()).value_or("");
    auto value = base::unseal(key_, context_of(project, name, rows[0][1].c_str()), sealed);
    if (!value)
        log::write(
            log::Level::warning, "secret_does_not_open",
            {{"project", project}, {"name", name}, {"what", "another master key sealed it"}});
    return value;
}

}  // namespace svc::devapi
