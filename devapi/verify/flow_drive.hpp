// Functions and workflows, run on the clone by the app's own engine in the database
// (svc.run_function, svc.advance). Whoever is outside is only noted (run/recorder.hpp), times to
// wait pass at once, and all of it is taken back.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "verify/session.hpp"
#include "verify/verify.hpp"

namespace svc::devapi::verification {

// What became of one.
struct Driven {
    enum class End {
        not_started,  // its condition did not hold
        ended,        // as `status` says
        endless,      // it is at `path` again and again
        cut_off,      // it takes longer than a verification waits
        broken        // the engine itself failed
    } end = End::ended;
    std::string status;  // succeeded, failed, dead, cancelled; of a function: succeeded, refused
    std::string code, error, path;  // where it did not succeed
    std::vector<VerifyDeed> deeds;
    std::size_t more = 0;

    bool succeeded() const { return end == End::ended && status == "succeeded"; }
    // "succeeded", "dead at pay: There is no such row. (NOT_FOUND)"
    std::string words() const;
    // It ended through no data, rule or right of the app, but because something of it is broken.
    bool own_fault() const;
};

// How a run begins. Texts are JSON.
struct FlowStart {
    std::string by;  // in words
    std::string trigger, given;
    std::string actor;     // an account; empty: nobody
    bool by_hand = false;  // `given` is an input that must fit the parameters
};

class FlowDrive {
  public:
    // Within a transaction that is taken back; the session is the owner from then on.
    explicit FlowDrive(Session& db);

    // `state`: as svc.run_function takes it, JSON.
    Driven call(const std::string& function, const std::string& state);
    Driven run(const std::string& workflow, const FlowStart& start);

  private:
    struct Claimed;

    std::string answer(const std::string& function, const std::string& state,
                       const std::string& result);
    void go_on(const std::string& id, Driven& out);
    bool step(Claimed& claimed, Driven& out);
    std::string stand_in(const std::string& asked, Driven& out);
    void pass_wait(const std::string& id, Driven& out);
    bool again_and_again(const std::string& path);
    std::string claim(const std::string& id);
    void read_end(const std::string& id, Driven& out);
    void note(const std::string& kind, const std::string& target);
    void finish(Driven& out);
    template <class Work>
    Driven taken_back(Work work);

    Session& db_;
    std::map<std::string, unsigned> visits_;  // by path, of the one at hand
};

}  // namespace svc::devapi::verification
