// Records which components passed the gates, by hash, in a folder of marks.
#pragma once

#include <string>
#include <vector>

#include "build/marks.hpp"
#include "gates/gates.hpp"

namespace svc::gates {

class PassCache {
  public:
    // `made`: hash of the gates themselves.
    PassCache(const std::string& cache, const Job& job, const std::string& made);

    bool has_all() const { return marks_.has(whole_); }
    // For each component of the job: true if it passed with its sample, its client and all its
    // imports.
    const std::vector<bool>& known_components() const { return known_; }
    void store() const;

  private:
    build::Marks marks_;
    std::string whole_;
    std::vector<std::string> keys_;
    std::vector<bool> known_;
};

}  // namespace svc::gates
