// Recent events of an environment: changes of rows and messages of topics, requests, errors, runs
// of workflows with their steps. Each is one JSON object as text, {at, kind, …}, oldest first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/apps.hpp"
#include "base/words.hpp"
#include "operate/run_tail.hpp"

namespace svc::devapi {

enum class TailKind : std::uint8_t { events, requests, errors, runs };

struct TailRequest {
    TailKind kind = TailKind::events;
    std::string database;  // administrator connection
    Apps::Traces traces;
    std::int64_t since = 0;  // microseconds since 1970
    std::size_t limit = 100;
    std::string topics{};    // of events: these alone, with commas between; empty: everything
    std::string workflow{};  // of runs: of this one alone; empty: of all
};

// Throws pqxx::failure.
class Tail {
  public:
    explicit Tail(const TailRequest& wanted);
    // The existing events since the requested time, up to the requested limit.
    const std::vector<std::string>& first() const { return first_; }
    // The events since then, or since the last call: none is left out and none comes twice.
    std::vector<std::string> next();

  private:
    void look_at_events();
    void look_at_errors();
    std::vector<std::string> next_events();
    // As next(), for a database of an older compiler without topics.
    std::vector<std::string> next_changes();
    // The result of `what` for each row after the cursor, which it moves; rows with null are left
    // out.
    std::vector<std::string> behind_cursor(const std::string& what);

    const TailRequest request_;
    std::vector<std::string> first_;
    std::string cursor_;        // events
    bool has_topics_ = false;   // the same
    std::uint64_t number_ = 0;  // requests
    std::uint64_t offset_ = 0;  // errors: bytes of the log that were read
    std::optional<RunTail> runs_;
};

// "15m", "2h", "1d" or an ISO time, as microseconds since 1970; -1 if it is neither.
std::int64_t since_of(const std::string& text);

}  // namespace svc::devapi

template <>
struct svc::base::Words<svc::devapi::TailKind> {
    static constexpr std::array<std::string_view, 4> kAll = {"events", "requests", "errors",
                                                             "runs"};
};
