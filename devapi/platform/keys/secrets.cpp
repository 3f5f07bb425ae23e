#include "platform/keys/secrets.hpp"

#include <nlohmann/json.hpp>

#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "log/log.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kKeyIdBytes = 8;

// A value that is moved to another project, name or environment does not open there.
std::string context_of(const std::string& project, const std::string& name, std::string_view env) {
    return project + "/" + name + "/" + std::string(env);
}

std::string word(SecretEnv env) { return std::string(base::word(env)); }

constexpr const char* kSecretColumns = "name, env, iso(updated_at), array_to_json(hosts)";

// Whether who began an apply may set secrets of its project.
constexpr const char* kMaySet =
    "coalesce(m.role in ('admin', 'owner'), false)"
    " from apply_run r join project p on p.id = r.project_id"
    " left join member m on m.workspace_id = p.workspace_id and m.user_id = r.user_id";

SecretRecord read_secret(const pqxx::row& row) {
    SecretRecord out{row[0].c_str(), base::read_word<SecretEnv>(row[1].c_str()).value(),
                     row[2].c_str()};
    if (!row[3].is_null())
        out.hosts = nlohmann::json::parse(row[3].c_str()).get<std::vector<std::string>>();
    return out;
}

std::optional<std::string> as_json(const SecretHosts& hosts) {
    return hosts ? std::optional(nlohmann::json(*hosts).dump()) : std::nullopt;
}

std::string as_json(const std::vector<SentSecret>& sent) {
    auto out = nlohmann::json::array();
    for (const auto& [name, host, env] : sent)
        out.push_back({{"name", name}, {"host", host}, {"env", env ? word(*env) : std::string()}});
    return out.dump();
}

// A value and what is said of its name do not pass each other.
void hold_secrets(pqxx::work& tx, const std::string& project) {
    tx.exec_params("select from project where id = $1 for no key update", project);
}

void bind(pqxx::work& tx, const std::string& project) {
    tx.exec_params(
        "update project_secret s set hosts = said.hosts from (select name,"
        " array_agg(host order by host) as hosts from secret_sent where project_id = $1"
        " group by name) said where s.project_id = $1 and s.name = said.name and s.hosts is null",
        project);
}

}  // namespace

Secrets::Secrets(Store& store, const std::string& master_key)
    : store_(store),
      key_(base::derive_key(master_key, "secrets")),
      key_id_(base::hex(base::derive_key(master_key, "id of the key of secrets"))
                  .substr(0, 2 * kKeyIdBytes)) {}

Secrets::Stored Secrets::put(const std::string& project, const std::string& name, SecretEnv env,
                             const std::string& value, const SecretHosts& hosts) {
    const std::string sealed =
        base::hex(base::seal(key_, context_of(project, name, word(env)), value));
    return store_.transact([&](pqxx::work& tx) {
        hold_secrets(tx, project);
        const bool created =
            tx.exec_params1(
                  "insert into project_secret (project_id, name, env, sealed, key_id, hosts)"
                  " values ($1, $2, $3, decode($4, 'hex'), $5, case when $6::jsonb is not null then"
                  " array(select jsonb_array_elements_text($6::jsonb)) end)"
                  " on conflict (project_id, name, env) do update set sealed = excluded.sealed,"
                  " key_id = excluded.key_id, updated_at = now(),"
                  " hosts = coalesce(excluded.hosts, project_secret.hosts) returning xmax = 0",
                  project, name, word(env), sealed, key_id_, as_json(hosts))[0]
                .as<bool>();
        bind(tx, project);
        const auto row = tx.exec_params1(std::string("select ") + kSecretColumns +
                                             " from project_secret where project_id = $1"
                                             " and name = $2 and env = $3",
                                         project, name, word(env));
        const SecretRecord kept = read_secret(row);
        return Stored{created, kept.updated_at, kept.hosts};
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

void Secrets::keep_sent(pqxx::work& tx, const std::string& project,
                        const std::vector<SentSecret>& live, const std::vector<SentSecret>& used) {
    hold_secrets(tx, project);
    tx.exec_params(
        "delete from secret_sent where project_id = $1 and (name, host) not in"
        " (select name, host from json_to_recordset($2::json)"
        " as live (name text, host text))",
        project, as_json(live));
    tx.exec_params(
        "insert into secret_sent (project_id, name, host)"
        " select $1, name, host from json_to_recordset($2::json)"
        " as said (name text, host text) on conflict do nothing",
        project, as_json(used));
    bind(tx, project);
}

bool Secrets::has_older(const std::string& project) const {
    return store_.transact([&](pqxx::work& tx) {
        return tx
            .exec_params1(
                "select exists (select from project_secret where project_id = $1 and older)",
                project)[0]
            .as<bool>();
    });
}

// The value for all counts where an environment has none of its own. One that is sent nowhere stays
// without hosts.
void Secrets::bind_older(const std::string& project, const std::vector<SentSecret>& live) const {
    store_.transact([&](pqxx::work& tx) {
        tx.exec_params(
            "update project_secret s set older = false, hosts = coalesce(hosts, (select"
            " array_agg(distinct l.host order by l.host) from json_to_recordset($2::json)"
            " as l (name text, host text, env text) where l.name = s.name"
            " and (l.env = s.env or s.env = 'all' and not exists (select from project_secret own"
            " where own.project_id = $1 and own.name = s.name and own.env = l.env))))"
            " where project_id = $1 and older",
            project, as_json(live));
    });
}

std::optional<SecretRecord> Secrets::allow(const std::string& project, const std::string& name,
                                           SecretEnv env,
                                           const std::vector<std::string>& hosts) const {
    return store_.transact([&](pqxx::work& tx) -> std::optional<SecretRecord> {
        const auto rows = tx.exec_params(
            std::string("update project_secret set hosts = array(select distinct unnest(hosts ||"
                        " array(select jsonb_array_elements_text($4::jsonb))) order by 1)"
                        " where project_id = $1 and name = $2 and env = $3 returning ") +
                kSecretColumns,
            project, name, word(env), nlohmann::json(hosts).dump());
        if (rows.empty()) return std::nullopt;
        return read_secret(rows[0]);
    });
}

std::optional<SecretRecord> Secrets::find(const std::string& project, const std::string& name,
                                          SecretEnv env) const {
    return store_.transact([&](pqxx::work& tx) -> std::optional<SecretRecord> {
        const auto rows =
            tx.exec_params(std::string("select ") + kSecretColumns +
                               " from project_secret where project_id = $1 and name = $2"
                               " and env in ($3, 'all') order by env = 'all' limit 1",
                           project, name, word(env));
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

std::vector<std::string> Secrets::remove(const std::string& project, const std::string& name,
                                         std::optional<SecretEnv> env) {
    return store_.transact([&](pqxx::work& tx) {
        std::vector<std::string> out;
        for (const auto& row :
             tx.exec_params("with gone as (delete from project_secret where project_id = $1"
                            " and name = $2 and ($3 = '' or env = $3) returning env)"
                            " select env from gone order by env",
                            project, name, env ? word(*env) : std::string()))
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
                                          SecretEnv env) const {
    const auto rows = store_.transact([&](pqxx::work& tx) {
        return tx.exec_params(
            "select encode(sealed, 'hex'), env from project_secret where project_id = $1"
            " and name = $2 and env in ($3, 'all') order by env = 'all' limit 1",
            project, name, word(env));
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
