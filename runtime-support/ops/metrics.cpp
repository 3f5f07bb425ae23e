#include "ops/metrics.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/prometheus.hpp"
#include "json/value.hpp"

namespace svc::ops {
namespace {

using Text = base::Prometheus;
using Kind = Text::Kind;

template <class Counts>
void add_each(Text& out, const char* label, const Counts& counts,
              std::initializer_list<const char*> names) {
    std::size_t i = 0;
    for (const char* name : names) {
        if (*name) out.sample(static_cast<double>(counts[i].load()), {{label, name}});
        ++i;
    }
}

void add_streams(Text& out, const feed::Counts& counts) {
    out.family(Kind::gauge, "svc_streams", "Open streams, by what they listen to.");
    add_each(out, "kind", counts.open, {"messages", "rows", "several"});
    out.family(Kind::counter, "svc_stream_frames_total", "Frames sent on streams.");
    add_each(out, "kind", counts.frames, {"message", "change", "ping"});
    out.family(Kind::counter, "svc_stream_resets_total", "Streams that got a reset, by reason.");
    add_each(out, "reason", counts.resets, {"", "cursor_too_old", "rights_changed", "restored"});
    out.one(Kind::counter, "svc_streams_closed_slow_total",
            "Streams that were closed because their client read nothing for 30 seconds.",
            static_cast<double>(counts.slow.load()));
    out.one(Kind::counter, "svc_messages_published_total",
            "Messages published through this server.",
            static_cast<double>(counts.published.load()));
    out.one(Kind::counter, "svc_feed_readings_total",
            "Pages of changes and messages read for streams.",
            static_cast<double>(counts.readings.load()));
    out.one(Kind::counter, "svc_feed_questions_total",
            "Statements that asked the database who may read rows that changed.",
            static_cast<double>(counts.questions.load()));
}

// There is no sample if nobody listens, because nothing is read then.
void add_poll_age(Text& out, std::int64_t read_at) {
    out.family(Kind::gauge, "svc_feed_poll_age_seconds",
               "Seconds since all changes were last read, while anybody listens.");
    if (read_at == 0) return;
    const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    out.sample(std::chrono::duration<double>(now - std::chrono::nanoseconds(read_at)).count());
}

void add_runs(Text& out, const run::Counts& counts) {
    out.one(Kind::counter, "svc_runs_started_total",
            "Runs that began on this server; each run counts once.",
            static_cast<double>(counts.started.load()));
    out.one(Kind::counter, "svc_runs_taken_total",
            "Runs that this server took over; a run that waited is taken again.",
            static_cast<double>(counts.taken.load()));
    out.family(Kind::counter, "svc_runs_ended_total",
               "Runs that ended on this server, by how they ended.");
    out.sample(static_cast<double>(counts.succeeded.load()), {{"how", "succeeded"}});
    out.sample(static_cast<double>(counts.failed.load()), {{"how", "failed"}});
    out.one(Kind::counter, "svc_run_attempts_total",
            "Calls that steps of runs made to other services; each attempt counts.",
            static_cast<double>(counts.attempts.load()));
    out.one(Kind::counter, "svc_runs_returned_total",
            "Runs of servers that died and that this server put back into the queue.",
            static_cast<double>(counts.returned.load()));
    out.one(Kind::counter, "svc_schedule_times_total",
            "Runs that this server started because their time had come.",
            static_cast<double>(counts.times.load()));
}

void add_deliveries(Text& out, const hook::Counts& counts) {
    out.family(Kind::counter, "svc_delivery_attempts_total",
               "Calls of outgoing webhooks, by what became of the delivery.");
    out.sample(static_cast<double>(counts.sent.load()), {{"how", "sent"}});
    out.sample(static_cast<double>(counts.waiting.load()), {{"how", "waiting"}});
    out.sample(static_cast<double>(counts.dead.load()), {{"how", "dead"}});
}

void add_models(Text& out, const ai::Counts& counts) {
    out.family(Kind::counter, "svc_ai_calls_total", "Calls of models, by how they ended.");
    out.sample(static_cast<double>(counts.done.load()), {{"how", "done"}});
    out.sample(static_cast<double>(counts.failed.load()), {{"how", "failed"}});
    out.sample(static_cast<double>(counts.left.load()), {{"how", "left"}});
    out.family(Kind::counter, "svc_ai_tokens_total", "Tokens that calls of models used, by kind.");
    out.sample(static_cast<double>(counts.prompt_tokens.load()), {{"of", "prompt"}});
    out.sample(static_cast<double>(counts.completion_tokens.load()), {{"of", "completion"}});
    out.one(Kind::gauge, "svc_ai_streams", "Answers of models that are streamed now.",
            static_cast<double>(counts.streams.load()));
}

void add_files(Text& out, const file::Counts& counts) {
    const auto count = [&out](const char* name, const char* what, const file::Count& of) {
        out.one(Kind::counter, name, what, static_cast<double>(of.load()));
    };
    count("svc_files_begun_total", "Uploads that were begun on this server.", counts.begun);
    count("svc_files_stored_total", "Files that were uploaded to this server.", counts.stored);
    count("svc_files_stored_bytes_total", "Bytes of these files.", counts.stored_bytes);
    count("svc_files_refused_total",
          "Uploads that this server refused after it had begun to read them.", counts.refused);
    count("svc_files_received_bytes_total", "Bytes of uploads, also of those that were not stored.",
          counts.received_bytes);
    count("svc_files_sent_total", "Answers with bytes of a file.", counts.sent);
    count("svc_files_sent_bytes_total", "Bytes of these answers.", counts.sent_bytes);
    count("svc_files_store_failures_total",
          "Reads and writes of files that failed in the S3-compatible store.",
          counts.store_failures);
    out.one(Kind::gauge, "svc_files_uploads", "Requests that bring bytes of an upload now.",
            static_cast<double>(counts.now.load()));
}

void add_payments(Text& out, const pay::Counts& counts) {
    out.family(Kind::counter, "svc_checkouts_total", "Checkouts, by method of payment.");
    out.sample(static_cast<double>(counts.card.load()), {{"method", "card"}});
    out.sample(static_cast<double>(counts.offline.load()), {{"method", "offline"}});
    out.one(Kind::counter, "svc_checkout_fallbacks_total",
            "Checkouts that asked for a card payment and are due offline.",
            static_cast<double>(counts.fallbacks.load()));
    out.family(Kind::counter, "svc_payments_total",
               "Payments that ended through this server, by outcome.");
    out.sample(static_cast<double>(counts.paid.load()), {{"outcome", "paid"}});
    out.sample(static_cast<double>(counts.failed.load()), {{"outcome", "failed"}});
    out.one(Kind::counter, "svc_card_provider_failures_total",
            "Calls of the card provider that failed.",
            static_cast<double>(counts.provider_failures.load()));
    out.one(Kind::counter, "svc_payment_mismatches_total",
            "Sessions of the card provider that belong to another payment.",
            static_cast<double>(counts.mismatches.load()));
}

void add_connectors(Text& out, const connector::Counts& counts) {
    out.family(Kind::counter, "svc_connector_calls_total",
               "Calls of integrations and tools, by how they ended.");
    out.sample(static_cast<double>(counts.done.load()), {{"how", "done"}});
    out.sample(static_cast<double>(counts.failed.load()), {{"how", "failed"}});
}

double number_of(const json::Value& in, std::string_view name) {
    const json::Value* value = in.find(name);
    return value ? std::max(std::strtod(value->text.c_str(), nullptr), 0.0) : 0;
}

// Runs of all servers of the app. There are no samples if the database cannot be read.
void add_live_runs(Text& out, std::string_view runs) {
    const json::Parsed parsed = json::parse(runs);
    const bool known = parsed.error.empty();
    out.family(Kind::gauge, "svc_runs", "Runs of the app that have not ended, by status.");
    const json::Value* live = parsed.value.find("live");
    for (const char* status : {"queued", "running", "waiting"}) {
        if (!known || !live) break;
        // Runs that wait for a place of their concurrency key are queued, too.
        const bool queued = std::string_view(status) == "queued";
        out.sample(number_of(*live, status) + (queued ? number_of(parsed.value, "inLine") : 0),
                   {{"status", status}});
    }
    if (known && live) out.sample(number_of(parsed.value, "held"), {{"status", "held"}});
    out.family(Kind::gauge, "svc_dead_letters", "Runs that failed and were not replayed.");
    if (known) out.sample(number_of(parsed.value, "dead"));
    out.family(Kind::gauge, "svc_runs_lag_seconds",
               "Seconds that the oldest ready run has waited for a server.");
    if (known) out.sample(number_of(parsed.value, "lag"));
    out.family(Kind::gauge, "svc_deliveries_waiting",
               "Deliveries of outgoing webhooks of the app that are not sent yet.");
    if (known) out.sample(number_of(parsed.value, "deliveries"));
}

}  // namespace

std::string metrics_of(const Shared& shared, std::string_view runs) {
    Text out;
    out.family(Kind::counter, "svc_answers_total", "Answers of the app, by class of status.");
    add_each(out, "status", shared.answers, {"", "", "2xx", "3xx", "4xx", "5xx"});
    const feed::Counts& counts = shared.hubs->counts();
    add_streams(out, counts);
    add_poll_age(out, shared.hubs->read_at());
    add_runs(out, shared.runs);
    add_deliveries(out, shared.delivered);
    add_models(out, shared.models);
    add_files(out, shared.files.counts);
    add_connectors(out, shared.connectors);
    add_live_runs(out, runs);
    add_payments(out, shared.payments);
    return out.text();
}

}  // namespace svc::ops
