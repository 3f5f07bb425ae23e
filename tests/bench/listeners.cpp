// Holds many streams of server-sent events open at one address, and counts what comes on them.
// listeners <port> <file of request heads, each ended by NUL> <count> [mute]
// Says "open <count>" once all have an answer. To a line "begin" it counts anew, to "count" it says
// how many deliveries came, to "tell" also how late: each frame with "at":<microseconds since 1970>
// is one. Mute ones read nothing after the head.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kAtOnce = 64;          // connections in the making
constexpr int kFromAnAddress = 500;  // 127.0.0.2, .3, …: servers bound them

struct Stream {
    int fd = -1;
    bool open = false;
    std::string rest;  // of a frame
};

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

[[noreturn]] void fail(const std::string& what) {
    std::cerr << "listeners: " << what << "\n";
    std::exit(1);
}

std::vector<std::string> heads_of(const char* path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> out;
    for (std::size_t at = 0, end; (end = text.find('\0', at)) != text.npos; at = end + 1)
        out.push_back(text.substr(at, end - at));
    if (out.empty()) fail("no request heads");
    return out;
}

class Listeners {
  public:
    Listeners(int port, std::vector<std::string> heads, int count, bool mute)
        : port_(port),
          heads_(std::move(heads)),
          streams_(static_cast<std::size_t>(count)),
          mute_(mute) {
        rlimit files{};
        getrlimit(RLIMIT_NOFILE, &files);
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
        fcntl(0, F_SETFL, O_NONBLOCK);
        watch(0, streams_.size());
    }

    void run() {
        for (;;) {
            while (begun_ < streams_.size() && begun_ - answered_ < kAtOnce) begin(begun_++);
            epoll_event events[512];
            const int count = epoll_wait(poll_, events, 512, -1);
            for (int i = 0; i < count; ++i) {
                if (events[i].data.u64 == streams_.size()) {
                    if (!command()) return;
                } else {
                    read(streams_[events[i].data.u64]);
                }
            }
        }
    }

  private:
    void watch(int fd, std::uint64_t which) {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = which;
        if (epoll_ctl(poll_, EPOLL_CTL_ADD, fd, &event) != 0) fail("epoll_ctl");
    }

    void begin(std::size_t i) {
        const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0) fail("no more sockets");
        sockaddr_in from{}, to{};
        from.sin_family = to.sin_family = AF_INET;
        from.sin_addr.s_addr = htonl(0x7f000002U + static_cast<std::uint32_t>(i) / kFromAnAddress);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        to.sin_port = htons(static_cast<std::uint16_t>(port_));
        if (bind(fd, reinterpret_cast<sockaddr*>(&from), sizeof from) != 0) fail("bind");
        if (connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) fail("connect");
        const std::string& head = heads_[i % heads_.size()];
        if (send(fd, head.data(), head.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(head.size()))
            fail("send");
        fcntl(fd, F_SETFL, O_NONBLOCK);
        streams_[i].fd = fd;
        watch(fd, i);
    }

    void read(Stream& stream) {
        static char piece[65536];
        const ssize_t bytes = recv(stream.fd, piece, sizeof piece, 0);
        if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (bytes <= 0) return closed(stream);
        stream.rest.append(piece, static_cast<std::size_t>(bytes));
        if (!stream.open && !answered(stream)) return;
        const std::int64_t at = now();
        std::size_t from = 0;
        for (std::size_t end; (end = stream.rest.find("\n\n", from)) != std::string::npos;
             from = end + 2)
            frame(std::string_view(stream.rest).substr(from, end - from), at);
        stream.rest.erase(0, from);
    }

    bool answered(Stream& stream) {
        const auto end = stream.rest.find("\r\n\r\n");
        if (end == std::string::npos) return false;
        if (!stream.rest.starts_with("HTTP/1.1 200 "))
            fail("answered " + stream.rest.substr(0, 400));
        stream.rest.erase(0, end + 4);
        stream.open = true;
        if (mute_) epoll_ctl(poll_, EPOLL_CTL_DEL, stream.fd, nullptr);
        if (++answered_ == streams_.size()) std::cout << "open " << answered_ << std::endl;
        return true;
    }

    void closed(Stream& stream) {
        if (!stream.open) fail("a stream ended before it began");
        close(stream.fd);
        ++closed_;
    }

    void frame(std::string_view text, std::int64_t at) {
        constexpr std::string_view kAt = "\"at\":";
        if (text.find("event: reset") != text.npos) ++resets_;
        const auto found = text.find(kAt);
        if (found == text.npos) return;
        late_.push_back(at - std::strtoll(text.data() + found + kAt.size(), nullptr, 10));
        if (first_ == 0) first_ = at;
        last_ = at;
    }

    // False at the end of the input.
    bool command() {
        char piece[256];
        const ssize_t bytes = ::read(0, piece, sizeof piece);
        if (bytes <= 0) return bytes < 0 && errno == EAGAIN;
        words_.append(piece, static_cast<std::size_t>(bytes));
        for (std::size_t end; (end = words_.find('\n')) != std::string::npos;
             words_.erase(0, end + 1)) {
            if (words_.starts_with("begin"))
                begin_to_count();
            else if (words_.starts_with("count"))
                std::cout << "{\"frames\":" << late_.size() << "}" << std::endl;
            else
                tell();
        }
        return true;
    }

    void begin_to_count() {
        late_.clear();
        resets_ = 0;
        first_ = last_ = 0;
        std::cout << "{}" << std::endl;
    }

    void tell() {
        std::vector<std::int64_t> sorted = late_;
        std::sort(sorted.begin(), sorted.end());
        const auto part = [&](double share) {
            return sorted.empty() ? 0
                                  : sorted[static_cast<std::size_t>(
                                        share * static_cast<double>(sorted.size() - 1))];
        };
        std::printf(
            "{\"frames\":%zu,\"resets\":%zu,\"closed\":%zu,\"first\":%lld,\"last\":%lld,\"p50\":%"
            "lld,\"p99\":%lld,\"most\":%lld}\n",
            late_.size(), resets_, closed_, static_cast<long long>(first_),
            static_cast<long long>(last_), static_cast<long long>(part(0.5)),
            static_cast<long long>(part(0.99)), static_cast<long long>(part(1)));
        std::fflush(stdout);
    }

    const int port_;
    const std::vector<std::string> heads_;
    std::vector<Stream> streams_;
    const bool mute_;
    const int poll_ = epoll_create1(EPOLL_CLOEXEC);
    std::size_t begun_ = 0, answered_ = 0, closed_ = 0, resets_ = 0;
    std::int64_t first_ = 0, last_ = 0;
    std::vector<std::int64_t> late_;  // microseconds, of each delivery
    std::string words_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) fail("usage: listeners <port> <heads> <count> [mute]");
    Listeners(std::atoi(argv[1]), heads_of(argv[2]), std::atoi(argv[3]), argc > 4).run();
}
