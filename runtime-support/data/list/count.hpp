// The number of rows of a list in all, for requests with `count`.
#pragma once

#include "data/envelope.hpp"
#include "data/query_text.hpp"

namespace svc::data::list {

enum class CountMode { none, exact, estimated };

// Reads the query parameter `count`; PARAMS_INVALID if it is neither exact nor estimated.
Result<CountMode> asked_count(std::string_view query);

// `conditions`: joins and "\nwhere …", or nothing; `bound` has its values. Only rows that the
// caller may read are counted, also in samples: the planner's own estimate would reveal the others.
QueryText count_text(CountMode counting, std::string_view table, const std::string& conditions,
                     const QueryText& bound);

// Reads the answer of that statement.
class CountSink final : public db::RowSink {
  public:
    void row(const Row& row) override;
    void write_to(Envelope& envelope, CountMode counting) const;

  private:
    std::string count_;
    bool estimated_ = false;
};

}  // namespace svc::data::list
