#include "cli/account/device_login.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "cli/exit_code.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;
using std::chrono::steady_clock;

constexpr auto kTick = std::chrono::milliseconds(100);

std::string this_machine() {
    char name[256] = "";
    const bool known = ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0';
    return ("svc on " + std::string(known ? name : "this machine")).substr(0, 80);
}

// Opens a browser if there is a desktop. The opener's output is ignored.
void open_in_browser(const std::string& url) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    if (url.rfind("http://", 0) != 0 && url.rfind("https://", 0) != 0) return;
    std::string program = "xdg-open", address = url;
    char* const words[] = {program.data(), address.data(), nullptr};
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    for (const int fd : {0, 1, 2})
        ::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    pid_t pid = 0;
    ::posix_spawnp(&pid, program.c_str(), &files, nullptr, words, environ);
    ::posix_spawn_file_actions_destroy(&files);
}

// Prints the address for the person, and the code to compare. With --json standard output is only
// for the answer.
void tell(const CliContext& context, const std::string& url, const std::string& code) {
    const std::string text = "Open " + url + "\nand allow the code " + code + "\n";
    if (!context.wants_json()) return print(text), void(std::fflush(stdout));
    std::fputs(text.c_str(), stderr);
}

void wait(std::chrono::seconds time, WaitNotice& waiting) {
    const auto end = steady_clock::now() + time;
    while (steady_clock::now() < end) {
        std::this_thread::sleep_for(kTick);
        waiting.tick();
    }
}

// The answer that decides it.
Reply poll(const CliContext& context, const std::string& device, std::chrono::seconds interval) {
    const std::string body = json{{"deviceCode", device}}.dump();
    WaitNotice waiting("Waiting for the browser");
    for (;;) {
        wait(interval, waiting);
        Reply reply = Http(context.api(), "")
                          .send({.method = "POST", .path = "/cli/login/poll", .body = body},
                                [&waiting] { waiting.tick(); });
        if (reply.status != 428 && reply.status != 429) return reply;
    }
}

}  // namespace

int login_with_browser(CliContext& context, bool open_browser) {
    const json wanted = {{"client", this_machine()}};
    const Reply begun = context.call_as(
        "", "Signing in", {.method = "POST", .path = "/cli/login", .body = wanted.dump()});
    if (!begun.ok()) {
        context.show_refusal(begun, false);
        return kRefused;
    }
    const json login = json::parse(begun.body, nullptr, false);
    const std::string device = text_of(login, "deviceCode"), url = text_of(login, "verifyUrl");
    tell(context, url, text_of(login, "userCode"));
    if (open_browser) open_in_browser(url);
    const int interval = std::clamp(login.value("interval", 5), 1, 60);
    const Reply reply = poll(context, device, std::chrono::seconds(interval));
    if (!reply.ok()) {
        context.show_refusal(reply, false);
        return kRefused;
    }
    const auto answer = context.accept(reply);
    if (!answer) return kRefused;
    write_config({context.api(), text_of(*answer, "token"), text_of(*answer, "id")});
    if (!context.wants_json())
        print("Signed in as " + text_of(answer->value("user", json::object()), "email") + " at " +
              context.api() + ".\n");
    return kDone;
}

}  // namespace svc::cli
