#include "pay/reconcile.hpp"

#include "log/log.hpp"
#include "pay/ledger.hpp"
#include "pay/provider.hpp"

namespace svc::pay {
namespace {

identity::Refusal mismatch(const PayContext& in, const Entry& entry) {
    ++in.counts.mismatches;
    log::write(log::Level::error, "payment_mismatch", {{"payment", entry.id}});
    return identity::refusal(Code::payment_mismatch,
                             "The card provider's session does not belong to this order: its "
                             "reference, amount or currency differs.");
}

Task<identity::Result<Reconciled>> record(const PayContext& in, const Entry& entry, Verdict verdict,
                                          std::string_view what) {
    const Status status = verdict == Verdict::paid ? Status::paid : Status::failed;
    const auto ended = co_await end_payment(in, entry, status, what);
    if (!ended) co_return ended.error();
    co_return Reconciled{ended->status};
}

}  // namespace

Task<identity::Result<Reconciled>> reconcile(const PayContext& in, const Entry& entry,
                                             ReconcileOptions how) {
    // Another request, or the poller, works on an entry without a session.
    if (entry.status != Status::processing || entry.session.empty())
        co_return Reconciled{entry.status};
    const auto provider = co_await provider_of(in);
    if (!provider) co_return provider.error();
    if (!*provider)
        co_return identity::refusal(Code::stripe_not_connected, "No card provider is connected.");
    const auto session = co_await fetch_session(in, **provider, entry.session);
    if (!session)
        co_return identity::refusal(
            Code::stripe_error,
            "The card provider did not report the status of the payment. Try "
            "again later.");
    const Verdict verdict = judge(*session, entry, how.reported_failed);
    if (verdict == Verdict::mismatch) co_return mismatch(in, entry);
    if (verdict == Verdict::processing)
        co_return Reconciled{entry.status, session->stage != CheckoutSession::Stage::complete};
    co_return co_await record(in, entry, verdict, base::word(how.why));
}

}  // namespace svc::pay
