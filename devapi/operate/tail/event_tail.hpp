// Changes of rows and messages of topics, as they are committed.
#pragma once

#include <cstdint>
#include <pqxx/pqxx>
#include <string>

#include "operate/tail/tail_line.hpp"

namespace svc::devapi {

class EventTail final : public TailSource {
  public:
    // `database`: administrator connection. `topics`: these alone, with commas between; empty:
    // everything. `since`: microseconds since 1970, of first().
    EventTail(std::string database, std::string topics, std::int64_t since);
    // Goes on after a place. Where that is of no use, it says so (take_reset) and begins now.
    EventTail(std::string database, std::string topics, const TailPlace& after);

    TailLines first(std::size_t limit) override;
    TailLines next() override;
    std::string place() const override;

  private:
    void look_at_now(pqxx::transaction_base& tx);
    void begin_now(feed::Reset why);
    TailLines behind_cursor();

    const std::string database_, topics_;
    const std::int64_t since_ = 0;
    std::string source_;  // which database this is: another one once it was restored
    std::string cursor_;
    bool has_topics_ = false, shows_rows_ = false;
};

}  // namespace svc::devapi
