// The sessions of one server, what they share, and the server's clock. One thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "http/server.hpp"

namespace svc::http {

class HttpSession;
class Stream;

// Outlives the server as long as a session does.
class SessionGroup {
  public:
    SessionGroup(asio::io_context& io, Service& service, Limits limits);

    // A session is counted from here on, before its coroutine has started.
    void add(HttpSession& session);
    void remove(HttpSession& session);
    std::size_t size() const { return sessions_.size() + streams_.size(); }
    // Streams that sessions opened, in their place.
    void add(Stream& stream, const std::string& network);
    void remove(Stream& stream, const std::string& network);

    // The client that a connection of this peer counts for; empty: not counted.
    std::string counted(const std::string& peer) const;
    // True if there is room for one more session of `network`. Ends an idle session to make room.
    bool has_room(const std::string& network);
    // Ends the session of `network` that has been idle longest. Empty: of all sessions.
    bool end_idle(const std::string& network = {});

    // Once a second: sessions past their deadline are woken to end. Deadlines are numbers in the
    // sessions, so a request arms no timer.
    void tick();
    std::uint32_t now() const { return now_; }       // in ticks
    std::string_view date() const { return date_; }  // the Date header, whole line

    void drain(bool hand_idle, std::function<void()> done);
    void end_streams();
    bool draining() const { return draining_; }
    bool hands_idle() const { return hand_idle_; }

    // The server is gone: sessions end without touching the service.
    void abandon();
    bool abandoned() const { return abandoned_; }

    asio::io_context& io;
    Service& service;
    const Limits limits;

  private:
    void count(const std::string& network);
    void uncount(const std::string& network);
    void finish_when_empty();

    std::vector<HttpSession*> sessions_;
    std::vector<Stream*> streams_;
    std::unordered_map<std::string, std::size_t> counts_;  // by network
    std::function<void()> done_;
    std::string date_;
    std::uint32_t now_ = 0;
    bool draining_ = false;
    bool hand_idle_ = false;
    bool abandoned_ = false;
};

}  // namespace svc::http
