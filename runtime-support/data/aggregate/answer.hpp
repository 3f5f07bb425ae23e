// The answer of an aggregate, printed row by row.
#pragma once

#include "data/aggregate/query.hpp"
#include "svc/clock.hpp"

namespace svc::data::aggregate {

// {"ok":true,"value":…,"window":…} or {"ok":true,"groups":[…],"truncated":…,"window":…}.
class AggregateAnswer final : public db::RowSink {
  public:
    explicit AggregateAnswer(const AggregateQuery& query) : query_(query) {}

    void row(const Row& row) override;
    std::string finish();

  private:
    // The groups of one period.
    struct Series {
        std::string groups;
        std::size_t count = 0;
        bool truncated = false;
        std::optional<Day> next, last;  // buckets that must follow; none: not known
    };

    void windows(const Row& row);
    template <class Print>
    std::string each_metric(Print print) const;
    std::string values(const Row& row, int first) const;
    std::string nothing() const;
    void group(Series& series, const std::string& key, const std::string& values);
    void fill(Series& series, Day until);
    void end(Series& series);

    const AggregateQuery& query_;
    bool begun_ = false;
    std::string value_, previous_, window_, previous_window_;
    Series now_, before_;
};

}  // namespace svc::data::aggregate
