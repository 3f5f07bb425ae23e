// One io thread of an app server: its io_context, its service with pools of its own, its HTTP
// server. Nothing is shared between workers but the app's constant tables and the settings.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "ops/service/app_service.hpp"

namespace svc::ops {

class Worker {
  public:
    Worker(const App& app, const Settings& settings, AppService::HandOff hand_off);

    // Opens the service, again and again while the database is away; `opened` is called on the
    // worker's thread with an empty text, or with what went wrong after `patience`.
    using Opened = std::function<void(std::string error)>;
    void open(std::chrono::seconds patience, Opened opened);
    // Reads the keys again, with the same patience.
    void reload_keys(std::chrono::seconds patience, Opened reloaded);
    // Starts the upkeep of the database, on the worker's thread.
    void keep_up() { service_.keep_up(); }
    // Ends the upkeep. Calls `left` on the worker's thread.
    void leave(std::function<void()> left);

    // Each from any thread.
    void adopt(http::Connection connection);
    void drain(bool hand_idle, std::function<void()> done);
    // The time of the drain is over: its streams get their last words.
    void end_streams();

    void start_thread();
    void stop_thread();  // stops and joins

    asio::io_context io{1};

  private:
    AppService service_;
    http::Server server_;
    std::thread thread_;
};

}  // namespace svc::ops
