#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "log/log.hpp"
#include "ops/process.hpp"
#include "svc/app.hpp"

namespace svc {
namespace {

void print(std::string_view line) { std::fwrite(line.data(), 1, line.size(), stdout); }

// --help, --version, --check answer and are done. False if `word` is none of them.
bool answer(const App& app, std::string_view word) {
    if (word == "--help") {
        print("This is the server of " + std::string(app.name) + ".\n\n" + ops::Settings::help());
    } else if (word == "--version") {
        print(std::string(app.name) + " " + std::string(app.contract) + "\n");
    } else if (word == "--check") {
        print(std::string(app.contract) + "\n");
    } else {
        return false;
    }
    return true;
}

// Every connection is a descriptor; the usual soft limit of 1024 is for programs that select().
void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int serve_with(const App& app, ops::Settings settings) {
    // A lost client shows in the answer of send(), not as a signal.
    std::signal(SIGPIPE, SIG_IGN);
    raise_descriptor_limit();
    // Never destroyed: suspended handlers may refer to members that would be destroyed before them.
    auto* process = new ops::Process(app, std::move(settings));
    int code = process->run();
    std::fflush(nullptr);
    std::_Exit(code);
}

}  // namespace

int serve(const App& app, int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (answer(app, argv[i])) return 0;
    }
    try {
        return serve_with(app, ops::Settings::read(argc, argv));
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        log::write(log::Level::error, "start_failed", {{"what", error.what()}});
        return 1;
    }
}

}  // namespace svc
