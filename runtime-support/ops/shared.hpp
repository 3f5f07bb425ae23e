// The objects that the services of one process share. Each service has an io thread; limits hold
// for the process.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "ai/counts.hpp"
#include "auth/outside.hpp"
#include "auth/throttles.hpp"
#include "connector/counts.hpp"
#include "feed/hub/hubs.hpp"
#include "file/file_context.hpp"
#include "hook/counts.hpp"
#include "identity/budget.hpp"
#include "ops/settings.hpp"
#include "outgoing/calls.hpp"
#include "pay/counts.hpp"
#include "run/counts.hpp"

namespace svc::ops {

inline constexpr unsigned kFilesOfPage = 10;  // that a page shows, on average at most

struct Shared {
    explicit Shared(const Settings& settings)
        : budget(settings.rate_browser, settings.rate_server),
          throttles(settings),
          hook_calls(settings.rate_hook, std::chrono::minutes(1)),
          visitors(visits(settings), std::chrono::minutes(1)),
          outside(settings.allow_private),
          files(settings.rate_upload, kFilesOfPage * visits(settings),
                file::make_store(settings.files,
                                 file::store_prefix(settings.project, settings.env))) {}

    identity::Budget budget;
    auth::Throttles throttles;
    identity::Throttle hook_calls;  // without a valid signature, by webhook and address
    identity::Throttle visitors;    // requests for pages, by address
    auth::Outside outside;
    file::Shared files;
    outgoing::Calls calls;
    feed::CommitSignal changes;
    feed::CommitSignal mails;       // notified once there may be mails to send
    feed::CommitSignal deliveries;  // notified once there are calls of webhooks to send
    feed::CommitSignal work;        // notified once something was committed that may start runs
    // Streams that are still open when the process ends hold a reference.
    const std::shared_ptr<feed::Hubs> hubs = std::make_shared<feed::Hubs>(changes);
    run::Counts runs;
    hook::Counts delivered;
    ai::Counts models;
    pay::Counts payments;
    connector::Counts connectors;
    // Gives the counts of runs in all servers of the app, as JSON (svc.runs_metrics); empty if the
    // database does not answer. Runs on the thread of the first service; null until that has begun.
    std::function<Task<std::string>()> runs_now;
    std::array<feed::Count, 6> answers{};  // by the first digit of their status

    // The share that an address has of the requests that nobody shows a key for.
    static unsigned visits(const Settings& settings) { return (settings.rate_browser + 1) / 2; }

    void answered(int status) {
        feed::Counts::add(answers.at(static_cast<unsigned>(status) / 100));
    }
};

// The same object for every service that is made from this very Settings object, as long as one of
// them lives.
std::shared_ptr<Shared> shared_by(const Settings& settings);

}  // namespace svc::ops
