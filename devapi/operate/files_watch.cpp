#include "operate/files_watch.hpp"

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
void check_one(const FilesPlace& place, const std::stop_token& stop) try {
    if (!claim_files_check(place.database)) return;
    check_files(place, [&stop] { return !stop.stop_requested(); });
} catch (const std::exception& error) {
    if (!stop.stop_requested())
        log::write(log::Level::warning, "files_not_checked",
                   {{"project", place.project}, {"env", name(place.env)}, {"what", error.what()}});
}

void watch_files(const std::stop_token& stop, const FilesWatch::Places& places) {
    std::mutex mutex;
    std::condition_variable_any bell;
    while (!stop.stop_requested()) {
        for (const FilesPlace& place : places()) {
            if (stop.stop_requested()) return;
            check_one(place, stop);
        }
        std::unique_lock lock(mutex);
        bell.wait_for(lock, stop, kBetweenLooks, [] { return false; });
    }
}

}  // namespace

void FilesWatch::start(Places places) {
    thread_ = std::jthread(
        [places = std::move(places)](const std::stop_token& stop) { watch_files(stop, places); });
}

void FilesWatch::stop() { thread_.request_stop(); }

}  // namespace svc::devapi
