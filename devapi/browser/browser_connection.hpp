// One run of the browser's program, and the socket to it: JSON lines, answers by id.
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "common/child.hpp"

namespace svc::devapi {

class BrowserConnection {
  public:
    using Answer = std::optional<nlohmann::ordered_json>;  // none: the program has ended

    explicit BrowserConnection(Child program);  // starts it; throws std::system_error
    ~BrowserConnection();
    BrowserConnection(const BrowserConnection&) = delete;
    BrowserConnection& operator=(const BrowserConnection&) = delete;

    // Blocking; any thread. Ends the program if it does not answer in time.
    Answer ask(nlohmann::ordered_json wanted, std::chrono::seconds patience);
    bool gone() const;
    void end();  // those who wait get none

  private:
    std::optional<std::future<Answer>> send(nlohmann::ordered_json wanted);
    void read_answers();
    void give(const std::string& line);
    void reap() const;

    int socket_ = -1;
    pid_t pid_ = -1;
    mutable std::mutex mutex_;
    std::map<std::uint64_t, std::promise<Answer>> waiting_;
    std::uint64_t last_ = 0;
    bool gone_ = false;
    std::thread reader_;
};

}  // namespace svc::devapi
