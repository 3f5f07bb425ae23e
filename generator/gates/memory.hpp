// What has passed the gates before, by hash, in a folder of marks.
#pragma once

#include <string>
#include <vector>

#include "gates/gates.hpp"

namespace svc::gates {

class Memory {
  public:
    // `made`: hash of the gates themselves.
    Memory(const std::string& cache, const Job& job, const std::string& made);

    bool knows_all() const { return known(whole_); }
    // By the job's component: it passed with its sample, its client and all that it imports.
    const std::vector<bool>& known_components() const { return known_; }
    void remember() const;

  private:
    bool known(const std::string& key) const;
    void mark(const std::string& key) const;
    void make_room() const;

    std::string folder_, whole_;
    std::vector<std::string> keys_;
    std::vector<bool> known_;
};

}  // namespace svc::gates
