#include "ai/ledger.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>

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
constexpr std::string_view kKeep = "select svc.ai_keep($1::uuid)";

class Reserved : public db::RowSink {
  public:
    void row(const Row& row) override {
        id = row.text(0);
        const std::string_view text = row.text(1);
        std::from_chars(text.data(), text.data() + text.size(), answer);
    }
    std::string id;
    std::int64_t answer = 0;
};

std::optional<std::string> budget(std::int64_t tokens) {
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

Task<identity::Result<Bill>> Bill::open(const Books& books, const Account& account) {
    const auto user_budget = budget(books.app.ai.per_user_daily);
    const auto project_budget = budget(books.app.ai.per_project_daily);
    const std::string prompt = std::to_string(account.prompt);
    const std::string answer = std::to_string(account.answer);
    const db::Param params[] = {param_of(account.user),
                                account.source,
                                account.kind,
                                account.model,
                                prompt,
                                answer,
                                param(user_budget),
                                param(project_budget),
                                books.app.timezone};
    Reserved reserved;
    const db::Command command = identity::command("svc_ai_reserve", kReserve, params, &reserved);
    const db::Outcome outcome = co_await books.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (reserved.id.empty())
        co_return identity::refusal(
            Code::budget_exceeded,
            "Today's budget of tokens has too little left for this. Try again tomorrow.");
    Bill bill(books, std::move(reserved.id), account);
    bill.answer_ = reserved.answer;
    co_return std::move(bill);
}

Bill::Bill(const Books& books, std::string id, const Account& account)
    : books_(&books),
      id_(std::move(id)),
      account_(account),
      prompt_(account.prompt),
      whole_(account.whole),
      began_(std::chrono::steady_clock::now()) {}

Bill::Bill(Bill&& other) noexcept
    : books_(other.books_),
      id_(std::move(other.id_)),
      account_(std::move(other.account_)),
      prompt_(other.prompt_),
      answer_(other.answer_),
      completion_(other.completion_),
      whole_(other.whole_),
      sent_(other.sent_),
      began_(other.began_) {
    other.id_.clear();
}

Bill::~Bill() {
    if (id_.empty()) return;
    completion_ = std::max(completion_, unheard());
    asio::co_spawn(books_->io, settle(*books_, ending(CallEnd::left, so_far(), "CALLER_LEFT")),
                   asio::detached);
}

std::int64_t Bill::elapsed_ms() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 began_)
        .count();
}

void Bill::came(bool sent, std::int64_t completion) {
    sent_ = sent_ || sent;
    completion_ = completion;
}

Usage Bill::so_far() const { return {sent_ ? prompt_ : 0, sent_ ? completion_ : 0, sent_}; }

Bill::Ending Bill::ending(CallEnd how, const Usage& usage, std::string_view error) {
    count(books_->counts, how, usage);
    return {std::exchange(id_, {}), how, std::string(error), usage, elapsed_ms(), account_};
}

Task<> Bill::done(const Usage& usage) {
    if (id_.empty()) co_return;
    co_await settle(*books_, ending(CallEnd::done, usage, ""));
}

Task<> Bill::failed(std::string_view code) {
    if (id_.empty()) co_return;
    co_await settle(*books_, ending(CallEnd::failed, so_far(), code));
}

Task<> Bill::keep() {
    const db::Param params[] = {id_};
    const db::Command command = identity::command("svc_ai_keep", kKeep, params);
    co_await books_->system.run({&command, 1});
}

// A crash of PostgreSQL may have forgotten the reservation, and then nothing but this says what the
// call cost. So it is tried again while the database is away. Where it never answers, the call ends
// with its lease, and costs its prompt.
Task<> Bill::settle(const Books& books, Ending ending) {
    const std::string prompt = std::to_string(ending.usage.prompt);
    const std::string completion = std::to_string(ending.usage.completion);
    const std::string ms = std::to_string(ending.ms);
    const db::Param params[] = {ending.id,
                                base::word(ending.how),
                                prompt,
                                completion,
                                ending.usage.estimated ? "true" : "false",
                                ending.error,
                                ms,
                                param_of(ending.account.user),
                                ending.account.source,
                                ending.account.kind,
                                ending.account.model,
                                books.app.timezone};
    const db::Command command = identity::command("svc_ai_settle", kSettle, params);
    db::Outcome outcome = co_await books.system.run({&command, 1});
    asio::steady_timer timer(books.io);
    for (unsigned tries = 0; outcome.lost() && tries < kSettleTries; ++tries) {
        timer.expires_after(kSettlePause);
        co_await timer.async_wait(asio::use_awaitable);
        outcome = co_await books.system.run({&command, 1});
    }
    if (!outcome.ok)
        log::write(log::Level::warning, "ai_call_not_settled",
                   {{"sqlstate", outcome.error().sqlstate}, {"what", outcome.error().message}});
}

}  // namespace svc::ai
