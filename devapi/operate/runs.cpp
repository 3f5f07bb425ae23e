#include "operate/runs.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <pqxx/pqxx>

#include "common/iso_time.hpp"
#include "common/meant.hpp"
#include "common/next_times.hpp"
#include "operate/id_list.hpp"
#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kHasRuns = "select to_regclass('svc.run') is not null";

constexpr const char* kHeld =
    "select count(*) from svc.run "
    "where due_at is null and ended_at is null and status = 'held'";

// The result of list_runs as one JSON list. $1 workflow, $2 status, $3 before, $4 limit, $5 with
// inputs and outputs.
constexpr const char* kListedRuns =
    "select coalesce(json_agg(case when $5 then r else r - 'input' - 'result' end), '[]') "
    "from svc.list_runs(nullif($1, ''), nullif($2, ''), nullif($3, '')::uuid, $4) r";

constexpr const char* kHasParts =
    "select to_regprocedure('svc.replay_part(uuid,boolean)') is not null";
constexpr const char* kReplayPart =
    "select p.replayed, p.reached::text from svc.replay_part($1::uuid) p";
constexpr const char* kReplayAll = "select svc.replay_runs(), null";

// Dead letters in the form of the developer API, from list_runs('dlq').
constexpr const char* kDeadLetters =
    "select coalesce(json_agg(json_build_object('jobId', r -> 'id', 'runId', r -> 'id', "
    "'workflow', r -> 'workflow', 'error', r -> 'error', 'errorCode', r -> 'errorCode', "
    "'step', r -> 'failedStep', 'failedAt', r -> 'endedAt', 'attempts', (select count(*) from "
    "svc.step s "
    "where s.run = (r ->> 'id')::uuid and s.path = r ->> 'failedStep'))), '[]') "
    "from svc.list_runs(null, 'dlq', null, $1) r";

const std::string kNotices =
    "select coalesce(json_agg(n), '[]') from (select n.id, a.email as \"to\", n.title, n.body, "
    "n.link, " +
    iso_millis("n.read_at") + " as \"readAt\", " + iso_millis("n.created_at") +
    " as \"createdAt\" from svc.notice n left join svc.account a on a.id = n.account_id "
    "order by n.id desc limit $1) n";

const std::string kWorkflows =
    "select coalesce(json_agg(json_build_object('id', f.name, 'trigger', f.trigger, 'since', "
    "(select (extract(epoch from s.since) * 1000000)::bigint from svc.schedule s "
    "where s.workflow = f.name), "
    // Those that wait for a place of a concurrency key are due at no time.
    "'live', (select count(*) from svc.run r where r.workflow = f.name and r.due_at is not null) + "
    "(select count(*) from svc.slot s join svc.run r on r.id = s.run where s.workflow = f.name "
    "and not s.holds and r.status = 'queued'), "
    "'held', (select count(*) from svc.run r where r.workflow = f.name and r.due_at is null "
    "and r.ended_at is null and r.status = 'held'), "
    "'dead', (select count(*) from svc.run r where r.workflow = f.name "
    "and r.error_code is not null and r.status in ('dead', 'failed')), "
    "'lastAt', (select " +
    iso_millis("max(r.created_at)") +
    " from svc.run r where r.id = (select id from svc.run l where l.workflow = f.name "
    "order by l.id desc limit 1))) order by f.name), '[]') "
    "from svc.flow f where f.kind = 'workflow' and f.live";

// One value of one statement, within a limit of time.
template <typename... Params>
std::string one_text(const std::string& database, const std::string& sql, Params&&... params) {
    Reading reading(database);
    return reading.tx.exec_params(sql, std::forward<Params>(params)...)[0][0].c_str();
}

}  // namespace

bool has_runs(const std::string& database) { return one_text(database, kHasRuns) == "t"; }

std::vector<std::string> workflow_ids(const std::string& database) {
    pqxx::connection connection(database);
    pqxx::read_transaction tx(connection);
    std::vector<std::string> out;
    for (const auto& row :
         tx.exec("select name from svc.flow where kind = 'workflow' and live order by name"))
        out.emplace_back(row[0].c_str());
    return out;
}

std::optional<std::string> unknown_workflow(const std::string& database,
                                            const std::string& workflow) {
    const bool known =
        one_text(database,
                 "select exists (select from svc.flow where kind = 'workflow' and name = $1) "
                 "or exists (select from svc.run where workflow = $1)",
                 workflow) == "t";
    if (known) return std::nullopt;
    return with_meant("The app has no workflow '" + workflow + "'.", workflow,
                      workflow_ids(database));
}

std::string runs_json(const std::string& database, const RunsRequest& wanted) {
    return one_text(database, kListedRuns, wanted.workflow, wanted.status, wanted.before,
                    wanted.limit, wanted.values);
}

std::int64_t held_runs(const std::string& database) {
    Reading reading(database);
    if (!reading.tx.exec1(kHasRuns)[0].as<bool>()) return 0;
    return reading.tx.exec1(kHeld)[0].as<std::int64_t>();
}

std::string dead_letters_json(const std::string& database, int limit) {
    return one_text(database, kDeadLetters, limit);
}

std::string notices_json(const std::string& database, int limit) {
    return one_text(database, kNotices, limit);
}

std::string workflows_json(const std::string& database) {
    auto workflows = nlohmann::ordered_json::parse(one_text(database, kWorkflows));
    using namespace std::chrono;
    const std::int64_t now =
        duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
    for (auto& workflow : workflows) {
        const auto since = workflow["since"];
        workflow.erase("since");
        if (since.is_null()) continue;
        NextTimes next = next_times(workflow["trigger"].dump(), since.get<std::int64_t>(), now);
        workflow["zone"] = std::move(next.zone);
        workflow["next"] = next.times;
    }
    return workflows.dump();
}

std::optional<std::string> read_run_json(const std::string& database, const std::string& run) {
    std::string out = one_text(database, "select coalesce(svc.read_run($1::uuid)::text, '')", run);
    if (out.empty()) return std::nullopt;
    return out;
}

bool has_run(const std::string& database, const std::string& run) {
    return one_text(database, "select exists (select from svc.run where id = $1::uuid)", run) ==
           "t";
}

bool cancel_run(const std::string& database, const std::string& run) {
    pqxx::connection connection(database);
    pqxx::work tx(connection);
    const bool out = tx.exec_params("select svc.cancel_run($1::uuid)", run)[0][0].as<bool>();
    tx.commit();
    return out;
}

std::vector<std::string> not_dead(const std::string& database,
                                  const std::vector<std::string>& ids) {
    pqxx::connection connection(database);
    pqxx::read_transaction tx(connection);
    std::vector<std::string> out;
    for (const auto& row : tx.exec_params(
             "select i from unnest($1::text[]) i where not exists (select from svc.run r "
             "where r.id::text = lower(i) and r.error_code is not null "
             "and r.status in ('dead', 'failed'))",
             id_list(ids)))
        out.emplace_back(row[0].c_str());
    return out;
}

int replay_runs(const std::string& database, const std::vector<std::string>& ids) {
    pqxx::connection connection(database);
    pqxx::work tx(connection);
    const int out =
        tx.exec_params("select svc.replay_runs($1::uuid[])", id_list(ids))[0][0].as<int>();
    tx.commit();
    return out;
}

// A database that no apply has brought up to date replays them in one transaction.
int replay_all_runs(const std::string& database) {
    const bool in_parts = one_text(database, kHasParts) == "t";
    pqxx::connection connection(database);
    int out = 0;
    for (std::optional<std::string> reached = std::nullopt;;) {
        pqxx::work tx(connection);
        const pqxx::row part =
            in_parts ? tx.exec_params1(kReplayPart, reached) : tx.exec1(kReplayAll);
        tx.commit();
        out += part[0].as<int>();
        if (part[1].is_null()) return out;
        reached = part[1].c_str();
    }
}

}  // namespace svc::devapi
