// Temporary files whose requests are over: their server was killed or drained, or the store refused
// them. Whoever writes a part holds its lock.
#pragma once

#include <chrono>
#include <string>
#include <unordered_map>
#include <vector>

namespace svc::file {

// Lists the files in tmp/. Blocks.
struct LeftParts {
    std::vector<std::string> old;   // nobody wrote to them for a day
    std::vector<std::string> free;  // of the others, parts that nobody holds now
};
LeftParts left_parts(const std::string& root);

// A part is abandoned once it was free for a while. What its server had asked of PostgreSQL or of
// the store has ended by then.
class Abandoned {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::minutes kWhile{10};

    // Gives the parts that are abandoned among those that are free now. Call it from time to time.
    std::vector<std::string> among(const std::vector<std::string>& free, Clock::time_point now);

  private:
    std::unordered_map<std::string, Clock::time_point> since_;
};

}  // namespace svc::file
