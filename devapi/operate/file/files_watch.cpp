#include "operate/file/files_watch.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>

#include "log/log.hpp"

namespace svc::devapi {
namespace {

constexpr std::chrono::minutes kBetweenLooks{10};

// One app that cannot be checked must not keep the others from it.
void check_one(const AppFiles& app, const std::stop_token& stop) try {
    if (!claim_files_check(app.database)) return;
    check_files(app, [&stop] { return !stop.stop_requested(); });
} catch (const std::exception& error) {
    if (!stop.stop_requested())
        log::write(log::Level::warning, "files_not_checked",
                   {{"project", app.project}, {"env", name(app.env)}, {"what", error.what()}});
}

void watch_files(const std::stop_token& stop, const FilesWatch::FindApps& apps) {
    std::mutex mutex;
    std::condition_variable_any wakeup;
    while (!stop.stop_requested()) {
        for (const AppFiles& app : apps()) {
            if (stop.stop_requested()) return;
            check_one(app, stop);
        }
        std::unique_lock lock(mutex);
        wakeup.wait_for(lock, stop, kBetweenLooks, [] { return false; });
    }
}

}  // namespace

void FilesWatch::start(FindApps apps) {
    thread_ = std::jthread(
        [apps = std::move(apps)](const std::stop_token& stop) { watch_files(stop, apps); });
}

void FilesWatch::stop() { thread_.request_stop(); }

}  // namespace svc::devapi
