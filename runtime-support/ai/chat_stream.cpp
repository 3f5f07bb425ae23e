#include "ai/chat_stream.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>

#include "ai/failure.hpp"
#include "ai/usage_json.hpp"
#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "log/log.hpp"

namespace svc::ai {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kComment{15}, kStuck{30}, kLease{60};
constexpr std::size_t kMostWhole = std::size_t{8} << 20;
// What an answer may have by our estimate, of the tokens that were asked for: some texts have twice
// as many characters in a token.
constexpr std::int64_t kMostOfAnswer = 2, kMostMore = 64;

bool is_events(const outgoing::Fetched& head) {
    const std::string_view type = head.header("content-type");
    return base::iequals(base::trim(type.substr(0, type.find(';'))), "text/event-stream");
}

void append_frame(std::string& out, std::string_view json) {
    out += "data: ";
    out += json;
    out += "\n\n";
}

Error server_replaced() {
    return {Code::unavailable, "The server that answered was replaced. Ask again."};
}

}  // namespace

ChatStream::ChatStream(const LedgerContext& ledger, OpenedCall opened)
    : ledger_(ledger), opened_(std::move(opened)), events_(is_events(opened_.head)) {}

ChatStream::~ChatStream() {
    if (counted_) --ledger_.counts.streams;
}

void ChatStream::begin(std::unique_ptr<http::Stream> stream) {
    ++ledger_.counts.streams;
    counted_ = true;
    stream_ = std::move(stream);
    stream_->watch([weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self) return;
        self->left_ = true;
        self->opened_.incoming->cancel();
    });
    stream_->at_end([weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self) return;
        self->replaced_ = true;
        self->opened_.incoming->cancel();
    });
    asio::co_spawn(
        ledger_.io, [self = shared_from_this()] { return self->run(); }, asio::detached);
}

Task<> ChatStream::run() {
    const auto self = shared_from_this();
    co_await answer();
    opened_.incoming->cancel();
    if (left_)
        co_await take_rest();
    else
        co_await end();
    stream_ = nullptr;
}

Task<> ChatStream::answer() {
    Clock::time_point heard = Clock::now(), wrote = heard;
    while (!over_ && !left_) {
        const Clock::time_point next = std::min(heard + kSilence, wrote + kComment);
        const auto most =
            std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now()) +
            std::chrono::milliseconds(1);
        const auto piece = co_await opened_.incoming->next(most);
        if (left_) co_return take_bytes(piece.bytes);
        const Clock::time_point now = Clock::now();
        if (!piece.bytes.empty()) heard = now;
        take(piece);
        if (!over_ && replaced_) fail(server_replaced());
        if (!over_ && now - heard >= kSilence) fail("it sent nothing for too long");
        if (out_.empty() && now - wrote >= kComment) out_ = ":\n\n";
        if (out_.empty()) continue;
        wrote = now;
        const bool sent = co_await flush();
        if (!sent) left_ = true;
        co_await keep_lease();
    }
}

Task<> ChatStream::keep_lease() {
    const Clock::time_point now = Clock::now();
    if (now - kept_ < kLease) co_return;
    kept_ = now;
    co_await opened_.reservation.keep();
}

void ChatStream::take_bytes(std::string_view bytes) {
    if (!events_) {
        whole_ += bytes;
        if (whole_.size() > kMostWhole) return fail("the answer is too long");
    } else {
        std::vector<std::string> events;
        const bool fits = reader_.feed(bytes, events);
        for (const std::string& data : events)
            if (!over_) take_event(data);
        if (!fits && !over_) return fail("an event is too long");
    }
    opened_.reservation.came(true, estimate_.tokens());
}

// What waited for a caller who has left: the provider has written it for them.
Task<> ChatStream::take_rest() {
    const auto piece = co_await opened_.incoming->next(std::chrono::milliseconds(0));
    take_bytes(piece.bytes);
}

void ChatStream::take(const outgoing::Incoming::Piece& piece) {
    take_bytes(piece.bytes);
    if (over_ || !piece.ended) return;
    if (replaced_ && !finished_) return;
    if (!events_ && piece.error.empty()) return take_whole();
    if (!finished_ || !piece.error.empty())
        return fail(piece.error.empty() ? "it ended too early" : piece.error);
    over_ = true;
}

// The provider took no notice of max_tokens. What it still sends is neither wanted nor reserved.
void ChatStream::cut() {
    finished_ = over_ = true;
    usage_.reset();
    log::write(log::Level::warning, "ai_answer_too_long",
               {{"host", opened_.host}, {"asked", opened_.reservation.answer()}});
}

void ChatStream::take_event(const std::string& data) {
    if (data == "[DONE]") {
        over_ = true;
        return;
    }
    const Chunk chunk = read_chunk(data);
    if (chunk.failed) return fail("it sent an error");
    delta(chunk.content);
    if (chunk.usage) usage_ = chunk.usage;
    finished_ = finished_ || chunk.finished;
    if (estimate_.tokens() > kMostOfAnswer * opened_.reservation.answer() + kMostMore) cut();
}

void ChatStream::take_whole() {
    const auto completion = read_completion(whole_);
    if (!completion) return fail("no completion in the answer");
    delta(completion->content);
    usage_ = completion->usage;
    over_ = true;
}

void ChatStream::delta(std::string_view text) {
    if (text.empty()) return;
    estimate_.add(text);
    std::string json = R"({"type":"text_delta","data":)";
    base::append_json(json, text);
    append_frame(out_, json + '}');
}

void ChatStream::fail(std::string_view why) { fail(provider_nonsense(why, opened_.host).error); }

void ChatStream::fail(const Error& error) {
    over_ = true;
    failed_ = error.code;
    std::string json = R"({"type":"error","data":{"code":")";
    json += name(error.code);
    json += R"(","message":)";
    base::append_json(json, error.message);
    append_frame(out_, json + "}}");
}

// Settles the call first, so that the caller's next call finds the right budget.
Task<> ChatStream::end() {
    if (failed_) {
        opened_.reservation.came(true, estimate_.tokens());
        co_await opened_.reservation.failed(*failed_);
    } else {
        const Usage usage =
            usage_.value_or(Usage{opened_.reservation.prompt(), estimate_.tokens(), true});
        co_await opened_.reservation.done(usage);
        append_frame(out_, R"({"type":"done","data":{"usage":)" + usage_json(usage) + "}}");
    }
    append_frame(out_, "[DONE]");
    co_await flush();
}

Task<bool> ChatStream::flush() {
    std::string_view rest = out_;
    while (!rest.empty()) {
        if (left_) co_return false;
        const auto taken = stream_->write_some(rest);
        if (!taken) co_return false;
        rest.remove_prefix(*taken);
        if (rest.empty()) break;
        const auto timer = std::make_shared<asio::steady_timer>(ledger_.io, kStuck);
        stream_->wait_writable([timer] { timer->cancel(); });
        boost::system::error_code cancelled;
        co_await timer->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
        if (!cancelled) co_return false;
        // A caller who reads slowly takes minutes for what is here.
        co_await keep_lease();
    }
    out_.clear();
    co_return true;
}

}  // namespace svc::ai
