// Runs of workflows as they progress: each run when its status changes, each step when it ends.
// JSON objects as text, {at, kind: "run" or "step", …}, in the order of their times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace svc::devapi {

class RunTail {
  public:
    // `since`: microseconds since 1970. Runs that began earlier are followed while they live.
    RunTail(std::string database, std::string workflow, std::int64_t since);
    // The newest `limit` entries since the last call. Throws pqxx::failure.
    std::vector<std::string> next(std::size_t limit);

  private:
    struct RunProgress {
        std::string status;
        bool over = false;
        std::map<std::string, std::string> steps;  // path and attempt: status
    };
    struct Entry {
        std::string at, line;
    };
    void look_at_runs(std::vector<Entry>& out);
    void look_at_steps(std::vector<Entry>& out);
    void forget_ended();

    const std::string database_, workflow_;
    const std::int64_t since_;
    bool has_runs_ = false;
    std::string newest_;  // id of the newest run that was seen; empty: none yet
    std::map<std::string, RunProgress> live_;
};

}  // namespace svc::devapi
