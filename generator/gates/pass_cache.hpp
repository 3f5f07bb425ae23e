// Records which components passed the gates, by hash, in a folder of marks.
#pragma once

#include <string>
#include <vector>

#include "gates/gates.hpp"

namespace svc::gates {

class PassCache {
  public:
    // `made`: hash of the gates themselves.
    PassCache(const std::string& cache, const Job& job, const std::string& made);

    bool has_all() const { return known(whole_); }
    // For each component of the job: true if it passed with its sample, its client and all its
    // imports.
    const std::vector<bool>& known_components() const { return known_; }
    void store() const;

  private:
    bool known(const std::string& key) const;
    void mark(const std::string& key) const;
    void make_room() const;

    std::string folder_, whole_;
    std::vector<std::string> keys_;
    std::vector<bool> known_;
};

}  // namespace svc::gates
