// Runs functions and workflows on the clone with the app's own engine in the database
// (svc.run_function, svc.advance). Calls of other services are only recorded
// (run/call/recorder.hpp), waiting times pass at once, and everything is rolled back.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "verify/clone/clone_connection.hpp"
#include "verify/flow/flow_effects.hpp"
#include "verify/flow/flow_outcome.hpp"
#include "verify/flow/flow_starts.hpp"

namespace svc::devapi::verification {

class FlowDrive {
  public:
    // Call it within a transaction that is rolled back. The connection acts as the owner from then
    // on.
    explicit FlowDrive(CloneConnection& db);

    // `state`: as svc.run_function takes it, JSON.
    FlowOutcome call(const std::string& function, const std::string& state);
    FlowOutcome run(const std::string& workflow, const FlowStart& start);

  private:
    struct Claimed;

    std::string answer(const std::string& function, const std::string& state,
                       const std::string& result);
    void go_on(const std::string& id, FlowOutcome& out);
    bool step(Claimed& claimed, FlowOutcome& out);
    std::string stand_in(const std::string& asked, FlowOutcome& out);
    void pass_wait(const std::string& id, FlowOutcome& out);
    bool again_and_again(const std::string& path);
    std::string claim(const std::string& id);
    void read_end(const std::string& id, FlowOutcome& out);
    template <class Work>
    FlowOutcome taken_back(Work work);

    CloneConnection& db_;
    FlowEffects effects_;
    std::map<std::string, unsigned> visits_;  // by path, of the one at hand
};

}  // namespace svc::devapi::verification
