#include "pay/ledger.hpp"

#include "identity/command.hpp"

namespace svc::pay {
namespace {

constexpr std::string_view kOpened =
    "select svc.session_opened($1::uuid, $2::text, $3::text, $4::bigint)";
constexpr std::string_view kFallBack = "select svc.fall_back($1::uuid, $2::text)";
constexpr std::string_view kEnd =
    "select status, ended from svc.end_payment($1::uuid, $2::text, $3::text, null)";
constexpr std::string_view kOfSession = "select svc.payment_of_session($1::text)";
constexpr std::string_view kClaim = "select svc.claim_payments(50)";

// The columns of all rows, one after another; null as an empty text.
class Columns : public db::RowSink {
  public:
    explicit Columns(int width) : width_(width) {}
    void row(const Row& row) override {
        for (int i = 0; i < width_; ++i) texts.emplace_back(row.null(i) ? "" : row.text(i));
    }
    std::vector<std::string> texts;

  private:
    const int width_;
};

Task<identity::Result<std::vector<std::string>>> ask(const PayContext& in, std::string_view name,
                                                     std::string_view sql,
                                                     std::span<const db::Param> params, int width) {
    Columns columns(width);
    const db::Command command = identity::command(name, sql, params, &columns);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    co_return std::move(columns.texts);
}

identity::Refusal unreadable() {
    return identity::refusal(Code::internal, "The ledger of payments cannot be read.");
}

}  // namespace

Task<identity::Result<bool>> record_session(const PayContext& in, const Entry& entry,
                                            const CheckoutSession& session) {
    const std::string expires = std::to_string(session.expires);
    const db::Param params[] = {entry.id, session.id, session.url,
                                session.expires == 0 ? db::Param() : db::Param(expires)};
    const auto answer = co_await ask(in, "svc_pay_opened", kOpened, params, 1);
    if (!answer) co_return answer.error();
    co_return answer->at(0) == "t";
}

Task<identity::Result<Entry>> fall_back(const PayContext& in, const Entry& entry,
                                        std::string_view note) {
    const db::Param params[] = {entry.id, note};
    const auto answer = co_await ask(in, "svc_pay_fall_back", kFallBack, params, 1);
    if (!answer) co_return answer.error();
    if (answer->at(0).empty())
        co_return identity::refusal(
            Code::unavailable,
            "The database was restarted while the payment began. Check the order out again.");
    auto now = read_entry(answer->at(0));
    if (!now) co_return unreadable();
    co_return std::move(*now);
}

Task<identity::Result<EndedPayment>> end_payment(const PayContext& in, const Entry& entry,
                                                 Status status, std::string_view what) {
    const db::Param params[] = {entry.id, base::word(status), what};
    const auto answer = co_await ask(in, "svc_pay_end", kEnd, params, 2);
    if (!answer) co_return answer.error();
    const auto now = base::read_word<Status>(answer->at(0));
    if (!now) co_return unreadable();
    const EndedPayment out{*now, answer->at(1) == "t"};
    if (out.now) ++(out.status == Status::paid ? in.counts.paid : in.counts.failed);
    co_return out;
}

Task<identity::Result<std::optional<Entry>>> entry_of_session(const PayContext& in,
                                                              std::string_view session) {
    const db::Param params[] = {session};
    const auto answer = co_await ask(in, "svc_pay_of_session", kOfSession, params, 1);
    if (!answer) co_return answer.error();
    co_return answer->empty() ? std::nullopt : read_entry(answer->at(0));
}

Task<identity::Result<std::vector<Entry>>> claim_payments(const PayContext& in) {
    const auto answer = co_await ask(in, "svc_pay_claim", kClaim, {}, 1);
    if (!answer) co_return answer.error();
    std::vector<Entry> out;
    for (const std::string& one : *answer)
        if (auto entry = read_entry(one)) out.push_back(std::move(*entry));
    co_return std::move(out);
}

}  // namespace svc::pay
