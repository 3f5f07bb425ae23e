// Recent events of an environment: changes of rows and messages of topics, requests, errors, runs
// of workflows with their steps. Each is one JSON object as text, {at, kind, …}, oldest first.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "apps/apps.hpp"
#include "base/words.hpp"
#include "operate/tail/tail_line.hpp"

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
    std::optional<TailPlace> after{};  // instead of `since`: what came after it
};

// Throws pqxx::failure.
std::unique_ptr<TailSource> open_tail(const TailRequest& wanted);

// "15m", "2h", "1d" or an ISO time, as microseconds since 1970; -1 if it is neither.
std::int64_t since_of(const std::string& text);

}  // namespace svc::devapi

template <>
struct svc::base::Words<svc::devapi::TailKind> {
    static constexpr std::array<std::string_view, 4> kAll = {"events", "requests", "errors",
                                                             "runs"};
};
