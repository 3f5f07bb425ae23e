// Findings inside the SQL of one query.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "diag/finding.hpp"
#include "plan/queries.hpp"

namespace svc::query {

class Report {
  public:
    Report(const plan::Query& query, diag::Findings& findings)
        : query_(query), findings_(findings) {}

    // Reports an error at a byte of the author's text. The same error is reported once for a place.
    void error(std::size_t at, const std::string& code, std::string message, std::string fix = {});
    void warning(std::size_t at, const std::string& code, std::string message, std::string fix);
    bool failed() const { return !reported_.empty(); }
    const plan::Query& query() const { return query_; }

  private:
    const plan::Query& query_;
    diag::Findings& findings_;
    std::set<std::pair<std::size_t, std::string>> reported_;
};

}  // namespace svc::query
