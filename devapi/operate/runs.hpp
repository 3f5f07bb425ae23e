// Runs of workflows for developers, past policies. `database` is an administrator connection.
// Blocking; pqxx::failure where PostgreSQL cannot be reached.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace svc::devapi {

// An app that an earlier compiler built has no runs.
bool has_runs(const std::string& database);

// Ids of the workflows of the live contract.
std::vector<std::string> workflow_ids(const std::string& database);
// Why there can be no run of this workflow, with the existing names. None: the workflow is in the
// live contract, or an earlier contract had it and left runs.
std::optional<std::string> unknown_workflow(const std::string& database,
                                            const std::string& workflow);

struct RunsRequest {
    std::string workflow;  // empty: of all
    std::string status;    // empty: any; dlq: dead letters
    std::string before;    // a run's id: older ones alone
    int limit = 30;
    bool values = true;  // with what the runs took and gave
};

// JSON lists, the newest first.
std::string runs_json(const std::string& database, const RunsRequest& wanted);
std::string dead_letters_json(const std::string& database, int limit);
std::string notices_json(const std::string& database, int limit);
// [{id, trigger, live, held, dead, lastAt, zone?, next?}]: the workflows of the live contract; the
// last two of those that the clock starts (common/next_times.hpp).
std::string workflows_json(const std::string& database);
// A run with its steps; none: there is no such run.
std::optional<std::string> read_run_json(const std::string& database, const std::string& run);

struct StartRequest {
    std::string workflow;
    std::string input;  // JSON; empty: none
    std::string row;    // id of the row that it is about; empty: none
    std::string old;    // JSON object, values that the row had before; empty: as it is
    std::string as;     // a persona or an account's e-mail address; empty: nobody acts
};

struct Refusal {
    enum class Why { not_found, bad_input, nobody } why = Why::bad_input;
    std::string message;
    std::string details;  // JSON list of {field, message}; empty: none
};

// The id of the run, or the reason why there is none.
struct Started {
    std::string run;  // empty: refused
    Refusal refusal;
    bool earlier = false;  // a run that was there before, and has the same key
};
Started start_run(const std::string& database, const StartRequest& wanted);

bool has_run(const std::string& database, const std::string& run);
// Cancels a run. False: there is no such run, or it has ended.
bool cancel_run(const std::string& database, const std::string& run);
// The ids among these that are not dead letters.
std::vector<std::string> not_dead(const std::string& database, const std::vector<std::string>& ids);
// Return how many runs continue.
int replay_runs(const std::string& database, const std::vector<std::string>& ids);
int replay_all_runs(const std::string& database);
// How many runs wait to be released.
std::int64_t held_runs(const std::string& database);

}  // namespace svc::devapi
