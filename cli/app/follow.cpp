#include "cli/app/follow.hpp"

#include <chrono>
#include <cstdio>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>

#include "cli/app/entry.hpp"
#include "cli/app/patience.hpp"
#include "cli/exit_code.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;
using namespace std::chrono_literals;

// The lines that were printed last. A stream of runs that is opened again repeats how each run
// stands.
class Printed {
  public:
    void add(const std::string& line) {
        if (!known_.insert(line).second) return;
        order_.push_back(line);
        if (order_.size() <= kKept) return;
        known_.erase(order_.front());
        order_.pop_front();
    }
    bool has(const std::string& line) const { return known_.contains(line); }

  private:
    static constexpr std::size_t kKept = 5000;
    std::unordered_set<std::string> known_;
    std::deque<std::string> order_;
};

// True if it makes no sense to ask again: the caller may not, or what was asked for is not there.
bool is_final(int status) {
    return status >= 400 && status < 500 && status != 408 && status != 429;
}

class Follower {
  public:
    Follower(CliContext& context, const std::string& path) : context_(context) {
        request_.path = path;
        request_.seconds = 0;
        request_.on_event = [this](const Event& event) { take(event); };
        request_.on_stream = [this] { opened(); };
    }

    int run() {
        for (;;) {
            const auto began = Patience::Clock::now();
            error_ = {};
            came_ = false;
            const Reply reply = Http(context_.api(), context_.token()).send(request_, [] {});
            if (!reply.last_id.empty()) request_.last_id = reply.last_id;
            const Reply& why = error_.status != 0 ? error_ : reply;
            if (!was_open_ || is_final(why.status)) return refuse(why);
            if (came_ || Patience::Clock::now() - began > kSettled) patience_.reset();
            if (!wait(why)) return refuse(why);
        }
    }

  private:
    static constexpr auto kSettled = 5s;  // a stream that lasted so long was no failed try

    void opened() {
        was_open_ = true;
        if (std::exchange(is_away_, false)) complain("The service is back.");
    }

    void take(const Event& event) {
        const json data = json::parse(event.data, nullptr, false);
        if (!data.is_object()) return;
        if (event.name == "error") error_ = {.status = data.value("status", 0), .body = event.data};
        if (event.name == "reset") show_reset(text_of(data, "reason"));
        if (event.name != "entry" && event.name != "reset") return;
        came_ = true;
        const std::string kind = text_of(data, "kind");
        if ((kind == "run" || kind == "step") && again_ && printed_.has(event.data)) return;
        if (kind == "run" || kind == "step") printed_.add(event.data);
        if (context_.wants_json()) {
            print(event.data + "\n");
            std::fflush(stdout);
        } else if (event.name == "entry") {
            print_entry(data);
        }
    }

    static void show_reset(const std::string& reason) {
        complain(std::string(reason == "restored" ? "The database was restored."
                                                  : "The service no longer has all that happened "
                                                    "since the last line.") +
                 " What came before may not be complete.");
    }

    // A stream that came to its end, as each does after an hour, is no outage.
    bool wait(const Reply& why) {
        const auto pause = patience_.next(Patience::Clock::now(), dice_(random_));
        if (!pause) return false;
        const bool ended = why.streamed && why.trouble.empty();
        if (!ended && !std::exchange(is_away_, true))
            complain("The service went away. Trying again …");
        std::this_thread::sleep_for(*pause);
        again_ = true;
        return true;
    }

    int refuse(const Reply& why) {
        context_.show_refusal(why);
        if (was_open_ && !is_final(why.status))
            complain("It has been away for " + std::to_string(Patience::kLimit.count()) +
                     " minutes. Start the command again when it is back.");
        return kRefused;
    }

    CliContext& context_;
    Request request_;
    Patience patience_;
    Printed printed_;
    Reply error_;            // with which a stream ended; status 0: none
    bool came_ = false;      // an entry, by the last try
    bool was_open_ = false;  // a stream, at any time
    bool again_ = false;     // this is not the first one
    bool is_away_ = false;   // and the caller knows that
    std::minstd_rand random_{std::random_device{}()};
    std::uniform_real_distribution<double> dice_{0, 1};
};

}  // namespace

int follow(CliContext& context, const std::string& path) { return Follower(context, path).run(); }

}  // namespace svc::cli
