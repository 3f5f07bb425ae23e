// What the begin of a call waits for, and what it offers.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include <condition_variable>
#include <cstring>
#include <mutex>

#include "outgoing/calls.hpp"
#include "unit/outgoing/neighbour.hpp"

namespace svc::outgoing {
namespace {

constexpr const char* kUnanswered = "unanswered.test";

// A name that no server answers, for as long as a test likes.
class Resolver {
  public:
    static Resolver& instance() {
        static Resolver resolver;
        return resolver;
    }
    void wait() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        changed_.notify_all();
        changed_.wait_for(lock, std::chrono::minutes(1), [this] { return answers_; });
        --waiting_;
        changed_.notify_all();
    }
    void await_question() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return waiting_ > 0; });
    }
    bool still_waits() {
        const std::lock_guard lock(mutex_);
        return waiting_ > 0;
    }
    void answer() {
        std::unique_lock lock(mutex_);
        answers_ = true;
        changed_.notify_all();
        changed_.wait(lock, [this] { return waiting_ == 0; });
        answers_ = false;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int waiting_ = 0;
    bool answers_ = false;
};

}  // namespace
}  // namespace svc::outgoing

// In front of the one of libc, for libcurl as well.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints,
                           addrinfo** out) {
    using Resolve = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
    static const auto resolve = reinterpret_cast<Resolve>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    if (name == nullptr || std::strcmp(name, svc::outgoing::kUnanswered) != 0)
        return resolve(name, service, hints, out);
    svc::outgoing::Resolver::instance().wait();
    return EAI_AGAIN;
}

namespace svc::outgoing {
namespace {

TEST(Calls, ANameThatNobodyAnswersHoldsUpNoOtherCall) {
    Neighbour neighbour;
    asio::io_context io;
    Calls calls;
    Fetch slow;
    slow.url = "https://" + std::string(kUnanswered) + "/";
    slow.seconds = 1;
    auto given_up = asio::co_spawn(io, calls.send(std::move(slow)), asio::use_future);
    std::thread reader([&io] { io.run(); });
    Resolver::instance().await_question();
    EXPECT_EQ(given_up.get().status, 0);
    EXPECT_TRUE(Resolver::instance().still_waits());
    reader.join();
    Fetch other;
    other.url = neighbour.url();
    other.allowed = {"127.0.0.1"};
    EXPECT_EQ(sent(io, calls, std::move(other)).body, "ok");
    EXPECT_TRUE(Resolver::instance().still_waits());
    Resolver::instance().answer();
}

// Takes one connection and reads the first bytes of it.
std::string first_bytes(int listener) {
    const int line = ::accept(listener, nullptr, nullptr);
    char bytes[4096];
    const ssize_t got = ::read(line, bytes, sizeof bytes);
    ::close(line);
    return got > 0 ? std::string(bytes, static_cast<std::size_t>(got)) : std::string();
}

// HTTP/2 has no way to let the sender wait that libcurl uses at once.
TEST(Calls, AnAnswerThatIsReadWhileItComesIsAskedForInHttp11Alone) {
    const Listener listener;
    asio::io_context io;
    Calls calls;
    Fetch request;
    request.url = "https://127.0.0.1:" + std::to_string(listener.port());
    request.allowed = {"127.0.0.1"};
    const auto incoming = calls.open(io, std::move(request));
    const std::string hello = first_bytes(listener.fd());
    // The list of protocols: its length, and each with its own.
    constexpr std::string_view kOnlyHttp11("\0\x09\x08http/1.1", 11);
    EXPECT_NE(hello.find(kOnlyHttp11), std::string::npos);
}

}  // namespace
}  // namespace svc::outgoing
