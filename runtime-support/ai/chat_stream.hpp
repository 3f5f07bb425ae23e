// Streams a chat to its caller while the provider sends it. Each stream is one coroutine and needs
// no thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "ai/model_calls.hpp"
#include "ai/tokens.hpp"
#include "http/stream.hpp"
#include "outgoing/event_reader.hpp"

namespace svc::ai {

class ChatStream : public std::enable_shared_from_this<ChatStream> {
  public:
    // If the caller leaves before the chat begins, the destructor settles the reservation.
    ChatStream(const LedgerContext& ledger, OpenedCall opened);
    ~ChatStream();
    ChatStream(const ChatStream&) = delete;
    ChatStream& operator=(const ChatStream&) = delete;

    void begin(std::unique_ptr<http::Stream> stream);

  private:
    Task<> run();
    Task<> answer();
    Task<> end();
    Task<> keep_lease();
    Task<> take_rest();
    void take(const outgoing::Incoming::Piece& piece);
    void take_bytes(std::string_view bytes);
    void take_event(const std::string& data);
    void cut();
    void take_whole();
    void delta(std::string_view text);
    void fail(std::string_view why);  // the provider failed
    void fail(const Error& error);
    // Returns false if the caller has left or reads nothing.
    Task<bool> flush();

    const LedgerContext& ledger_;
    OpenedCall opened_;
    std::chrono::steady_clock::time_point kept_ = std::chrono::steady_clock::now();  // the lease
    const bool events_;  // false: the provider answers in one piece
    std::unique_ptr<http::Stream> stream_;
    outgoing::EventReader reader_;
    TokenEstimate estimate_;
    std::string whole_, out_;
    std::optional<Usage> usage_;
    std::optional<Code> failed_;
    // `finished`: the model has said why it ended. `over`: no more data is expected. `replaced`:
    // this server is about to end.
    bool finished_ = false, over_ = false, replaced_ = false, left_ = false, counted_ = false;
};

}  // namespace svc::ai
