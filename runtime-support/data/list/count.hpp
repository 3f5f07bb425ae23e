// How many rows a list has in all, for whoever asks with `count`.
#pragma once

#include "data/envelope.hpp"
#include "data/query_text.hpp"

namespace svc::data::list {

enum class Counting { none, exact, estimated };

// Of the query parameter `count`; PARAMS_INVALID if it is neither exact nor estimated.
Result<Counting> asked_count(std::string_view query);

// `conditions`: joins and "\nwhere …", or nothing; its values those of `bound`. Only rows that the
// caller may read are counted, sampled ones too: the planner's own guess would tell of the others.
QueryText count_text(Counting counting, std::string_view table, const std::string& conditions,
                     const QueryText& bound);

// Reads the answer of that statement.
class CountSink final : public db::RowSink {
  public:
    void row(const Row& row) override;
    void tell(Envelope& envelope, Counting counting) const;

  private:
    std::string count_;
    bool estimated_ = false;
};

}  // namespace svc::data::list
