// A script of web/components, run with a job: under Node.js, in the sandbox that compilers run in.
#pragma once

#include <memory>
#include <string>

#include "build/build.hpp"
#include "build/cache.hpp"
#include "build/process.hpp"

namespace svc::gates {

// Hash of those scripts and their packages.
std::string scripts_hash();

// What the machine lacks to run a script, as sentences; empty: nothing. `inside`: in the sandbox.
std::string lacking(const build::Settings& settings, bool inside);

// Runs a script once. Blocks, up to some minutes, and waits for a permit of the settings' party
// (gates/permit.hpp). Throws QueueFull, std::system_error and std::filesystem::filesystem_error.
class ScriptRun {
  public:
    ScriptRun(const char* script, const std::string& job, const build::Settings& settings,
              bool inside);

    const build::Ended& ended() const { return ended_; }
    // A file that the script wrote to its TMPDIR. It exists as long as this object.
    std::string written(const char* name) const { return work_.path() + "/own/" + name; }

  private:
    build::WorkFolder work_;
    build::Ended ended_;
};

}  // namespace svc::gates
