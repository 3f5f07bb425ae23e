// Runs of workflows as they progress: each run when its status changes, each step when it ends:
// {at, kind: "run" or "step", …}, in the order of their times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <pqxx/pqxx>
#include <string>
#include <vector>

#include "operate/tail/tail_line.hpp"

namespace svc::devapi {

class RunTail final : public TailSource {
  public:
    // `since`: microseconds since 1970. Runs that began earlier are followed while they live, but
    // of all runs only the newest 2,000.
    RunTail(std::string database, std::string workflow, std::int64_t since);
    // Goes on after a place. What became of runs has no order that a place could name, so this
    // repeats how each run and its steps stand, if it lives or ended not long before.
    RunTail(std::string database, std::string workflow, const TailPlace& after);

    TailLines first(std::size_t limit) override { return newest(limit); }
    TailLines next() override;
    std::string place() const override;

  private:
    struct RunProgress {
        std::string status;
        bool over = false;
        bool told = false;                         // it has ended, and all its steps were read
        std::map<std::string, std::string> steps;  // path and attempt: status
    };
    struct Entry {
        std::int64_t at = 0;  // microseconds since 1970
        std::string line;
    };
    TailLines newest(std::size_t limit);
    void look_at_source();
    void look_at_runs(pqxx::transaction_base& tx, std::vector<Entry>& out);
    void look_at_steps(pqxx::transaction_base& tx, std::vector<Entry>& out);
    void forget_old();
    std::vector<std::string> followed() const;

    const std::string database_, workflow_;
    const std::int64_t since_;
    std::int64_t last_ = 0;  // the newest time of an entry
    bool follows_ = false;   // what is left out now is a gap
    bool has_runs_ = false;
    std::string source_;  // which database this is: another one once it was restored
    std::string newest_;  // id of the newest run that was seen; empty: none yet
    // Those that live, and of the last seconds those that ended: they are found once more. In the
    // order in which they began.
    std::map<std::string, RunProgress> known_;
};

}  // namespace svc::devapi
