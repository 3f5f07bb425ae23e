// Budgets of tokens: reserved before a call, settled after it (schema/ai.sql).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "ai/completion.hpp"
#include "ai/counts.hpp"
#include "base/words.hpp"
#include "db/pool.hpp"
#include "identity/result.hpp"
#include "svc/app.hpp"

namespace svc::ai {

// How a call of a model ended, with the names that svc.ai_call stores.
enum class CallEnd : std::uint8_t { done, failed, left };

// The tokens that a call takes from the budgets, and whose budgets they are.
struct CallBudget {
    std::string user;         // an account's id; empty: no account, only the project pays
    std::string_view source;  // route, workflow
    std::string_view kind;    // chat, embed
    std::string model;
    std::int64_t prompt = 0;  // tokens, estimated
    std::int64_t answer = 0;  // the most tokens that it may have
    unsigned seconds = 0;     // the time limit of the call; 0: no limit while data arrives
    bool whole = false;       // the answer arrives in one piece, so its length is not known before
};

// The services that count calls. Outlives them.
struct LedgerContext {
    asio::io_context& io;
    const App& app;
    db::Pool& system;
    Counts& counts;
};

// A call in progress, with its reserved tokens. If it has not ended, the destructor ends it as a
// call that its caller left: it costs the prompt, if that was sent, and the tokens that had
// arrived.
class Reservation {
  public:
    // Refuses with BUDGET_EXCEEDED if too few tokens are left.
    static Task<identity::Result<Reservation>> open(const LedgerContext& ledger,
                                                    const CallBudget& budget);
    Reservation(Reservation&& other) noexcept;
    Reservation& operator=(Reservation&&) = delete;
    ~Reservation();

    std::int64_t prompt() const { return prompt_; }
    std::int64_t answer() const { return answer_; }  // tokens that are reserved for the answer
    std::int64_t elapsed_ms() const;
    // Tokens of an answer that did not arrive, although the provider may have written it. A caller
    // who leaves just before it arrives pays for it.
    std::int64_t unheard() const { return whole_ ? answer_ : 0; }

    // Sets the tokens that are spent unless a later call says more. `sent`: the provider has the
    // prompt.
    void came(bool sent, std::int64_t completion);
    Task<> done(const Usage& usage);
    // Costs the tokens that came() counted.
    Task<> failed(Code code);
    // Renews the reservation while the server lives, unless it has ended.
    Task<> keep();

  private:
    struct CallRecord {
        std::string id;
        CallEnd how = CallEnd::done;
        std::string error;
        Usage usage;
        std::int64_t ms = 0;
        CallBudget budget;
    };

    Reservation(const LedgerContext& ledger, std::string id, const CallBudget& budget);
    static Task<> settle(const LedgerContext& ledger, CallRecord record);
    CallRecord record(CallEnd how, const Usage& usage, std::string_view error);
    Usage so_far() const;

    const LedgerContext* ledger_;
    std::string id_;  // empty: it has ended
    CallBudget budget_;
    std::int64_t prompt_, answer_ = 0, completion_ = 0;
    bool whole_ = false, sent_ = false;
    std::chrono::steady_clock::time_point began_;
};

}  // namespace svc::ai

template <>
struct svc::base::Words<svc::ai::CallEnd> {
    static constexpr std::array<std::string_view, 3> kAll = {"done", "failed", "left"};
};
