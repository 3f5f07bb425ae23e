#include "ai/ledger.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/number.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::ai {
namespace {

constexpr std::string_view kReserve =
    "select id::text, answer from svc.ai_reserve($1::uuid, $2::text, $3::text, $4::text,"
    " $5::bigint, $6::bigint, $7::bigint, $8::bigint, $9::text)";
constexpr std::string_view kSettle =
    "select svc.ai_settle($1::uuid, $2::text, $3::bigint, $4::bigint, $5::boolean, $6::text,"
    " $7::integer, $8::uuid, $9::text, $10::text, $11::text, $12::text)";
constexpr unsigned kSettleTries = 20;
constexpr std::chrono::milliseconds kSettlePause{500};
// The value in svc.ai_call instead of a code: nobody got an answer.
constexpr std::string_view kCallerLeft = "CALLER_LEFT";
constexpr std::string_view kKeep = "select svc.ai_keep($1::uuid)";

class Reserved : public db::RowSink {
  public:
    void row(const Row& row) override {
        id = row.text(0);
        answer = base::number_of<std::int64_t>(row.text(1));
    }
    std::string id;
    std::int64_t answer = 0;
};

std::optional<std::string> budget_text(std::int64_t tokens) {
    if (tokens < 0) return std::nullopt;
    return std::to_string(tokens);
}

db::Param param(const std::optional<std::string>& text) {
    return text ? db::Param(*text) : db::Param();
}

db::Param param_of(const std::string& user) { return user.empty() ? db::Param() : db::Param(user); }

void count(Counts& counts, CallEnd how, const Usage& usage) {
    (how == CallEnd::done ? counts.done : how == CallEnd::left ? counts.left : counts.failed) += 1;
    counts.prompt_tokens += static_cast<std::uint64_t>(usage.prompt);
    counts.completion_tokens += static_cast<std::uint64_t>(usage.completion);
}

}  // namespace

Task<identity::Result<Reservation>> Reservation::open(const LedgerContext& ledger,
                                                      const CallBudget& budget) {
    const auto user_budget = budget_text(ledger.app.ai.per_user_daily);
    const auto project_budget = budget_text(ledger.app.ai.per_project_daily);
    const std::string prompt = std::to_string(budget.prompt);
    const std::string answer = std::to_string(budget.answer);
    const db::Param params[] = {param_of(budget.user),
                                budget.source,
                                budget.kind,
                                budget.model,
                                prompt,
                                answer,
                                param(user_budget),
                                param(project_budget),
                                ledger.app.timezone};
    Reserved reserved;
    const db::Command command = identity::command("svc_ai_reserve", kReserve, params, &reserved);
    const db::Outcome outcome = co_await ledger.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (reserved.id.empty())
        co_return identity::refusal(
            Code::budget_exceeded,
            "Today's budget of tokens has too little left for this. Try again tomorrow.");
    Reservation reservation(ledger, std::move(reserved.id), budget);
    reservation.answer_ = reserved.answer;
    co_return std::move(reservation);
}

Reservation::Reservation(const LedgerContext& ledger, std::string id, const CallBudget& budget)
    : ledger_(&ledger),
      id_(std::move(id)),
      budget_(budget),
      prompt_(budget.prompt),
      whole_(budget.whole),
      began_(std::chrono::steady_clock::now()) {}

Reservation::Reservation(Reservation&& other) noexcept
    : ledger_(other.ledger_),
      id_(std::move(other.id_)),
      budget_(std::move(other.budget_)),
      prompt_(other.prompt_),
      answer_(other.answer_),
      completion_(other.completion_),
      whole_(other.whole_),
      sent_(other.sent_),
      began_(other.began_) {
    other.id_.clear();
}

Reservation::~Reservation() {
    if (id_.empty()) return;
    completion_ = std::max(completion_, unheard());
    asio::co_spawn(ledger_->io, settle(*ledger_, record(CallEnd::left, so_far(), kCallerLeft)),
                   asio::detached);
}

std::int64_t Reservation::elapsed_ms() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 began_)
        .count();
}

void Reservation::came(bool sent, std::int64_t completion) {
    sent_ = sent_ || sent;
    completion_ = completion;
}

Usage Reservation::so_far() const { return {sent_ ? prompt_ : 0, sent_ ? completion_ : 0, sent_}; }

Reservation::CallRecord Reservation::record(CallEnd how, const Usage& usage,
                                            std::string_view error) {
    count(ledger_->counts, how, usage);
    return {std::exchange(id_, {}), how, std::string(error), usage, elapsed_ms(), budget_};
}

Task<> Reservation::done(const Usage& usage) {
    if (id_.empty()) co_return;
    co_await settle(*ledger_, record(CallEnd::done, usage, ""));
}

Task<> Reservation::failed(Code code) {
    if (id_.empty()) co_return;
    co_await settle(*ledger_, record(CallEnd::failed, so_far(), name(code)));
}

Task<> Reservation::keep() {
    if (id_.empty()) co_return;
    const db::Param params[] = {id_};
    const db::Command command = identity::command("svc_ai_keep", kKeep, params);
    co_await ledger_->system.run({&command, 1});
}

// A crash of PostgreSQL may have forgotten the reservation, and then nothing but this says what the
// call cost. So it is tried again while the database is away. Where it never answers, the call ends
// with its lease, and costs its prompt.
Task<> Reservation::settle(const LedgerContext& ledger, CallRecord record) {
    const std::string prompt = std::to_string(record.usage.prompt);
    const std::string completion = std::to_string(record.usage.completion);
    const std::string ms = std::to_string(record.ms);
    const db::Param params[] = {record.id,
                                base::word(record.how),
                                prompt,
                                completion,
                                record.usage.estimated ? "true" : "false",
                                record.error,
                                ms,
                                param_of(record.budget.user),
                                record.budget.source,
                                record.budget.kind,
                                record.budget.model,
                                ledger.app.timezone};
    const db::Command command = identity::command("svc_ai_settle", kSettle, params);
    db::Outcome outcome = co_await ledger.system.run({&command, 1});
    asio::steady_timer timer(ledger.io);
    for (unsigned tries = 0; outcome.lost() && tries < kSettleTries; ++tries) {
        timer.expires_after(kSettlePause);
        co_await timer.async_wait(asio::use_awaitable);
        outcome = co_await ledger.system.run({&command, 1});
    }
    if (!outcome.ok)
        log::write(log::Level::warning, "ai_call_not_settled",
                   {{"sqlstate", outcome.error().sqlstate}, {"what", outcome.error().loggable()}});
}

}  // namespace svc::ai
