#include "domains/txt_records.hpp"

#include <ares.h>
#include <arpa/nameser.h>
#include <poll.h>
#include <sys/time.h>

#include <memory>
#include <stdexcept>

namespace svc::devapi {
namespace {

constexpr int kTryMs = 2000, kTries = 2;

// c-ares is set up once a process.
void set_up() {
    static const int done = ares_library_init(ARES_LIB_INIT_ALL);
    if (done != ARES_SUCCESS) throw std::runtime_error("c-ares cannot be set up.");
}

std::vector<std::string> values_of(const ares_txt_ext* record) {
    std::vector<std::string> out;
    for (; record; record = record->next) {
        if (record->record_start || out.empty()) out.emplace_back();
        out.back().append(reinterpret_cast<const char*>(record->txt), record->length);
    }
    return out;
}

TxtRecords read_answer(int status, unsigned char* answer, int length) {
    ares_txt_ext* records = nullptr;
    if (status == ARES_SUCCESS) status = ares_parse_txt_reply_ext(answer, length, &records);
    const std::unique_ptr<ares_txt_ext, decltype(&ares_free_data)> guard(records, ares_free_data);
    if (status == ARES_SUCCESS) return {TxtRecords::Answer::found, values_of(records)};
    const bool none = status == ARES_ENODATA || status == ARES_ENOTFOUND;
    return {
        none ? TxtRecords::Answer::none : TxtRecords::Answer::failed, {}, ares_strerror(status)};
}

class Channel {
  public:
    explicit Channel(const std::string& server) {
        ares_options options{};
        options.timeout = kTryMs;
        options.tries = kTries;
        if (ares_init_options(&channel_, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES) !=
            ARES_SUCCESS)
            throw std::runtime_error("c-ares cannot be set up.");
        if (!server.empty() && ares_set_servers_ports_csv(channel_, server.c_str()) != ARES_SUCCESS)
            throw std::invalid_argument("SVC_DNS_SERVER takes address:port, not " + server + ".");
    }
    ~Channel() { ares_destroy(channel_); }
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    TxtRecords ask(const std::string& name) {
        TxtRecords out;
        const auto keep = [](void* into, int status, int, unsigned char* answer, int length) {
            *static_cast<TxtRecords*>(into) = read_answer(status, answer, length);
        };
        ares_query(channel_, name.c_str(), ns_c_in, ns_t_txt, keep, &out);
        wait();
        return out;
    }

  private:
    void wait() {
        for (;;) {
            ares_socket_t sockets[ARES_GETSOCK_MAXNUM];
            const int wanted = ares_getsock(channel_, sockets, ARES_GETSOCK_MAXNUM);
            if (wanted == 0) return;
            pollfd watched[ARES_GETSOCK_MAXNUM];
            nfds_t count = 0;
            for (int i = 0; i < ARES_GETSOCK_MAXNUM; ++i) {
                short events = 0;
                if (ARES_GETSOCK_READABLE(wanted, i)) events |= POLLIN;
                if (ARES_GETSOCK_WRITABLE(wanted, i)) events |= POLLOUT;
                if (events) watched[count++] = {sockets[i], events, 0};
            }
            timeval most{kTryMs / 1000, 0}, left{};
            const timeval* next = ares_timeout(channel_, &most, &left);
            ::poll(watched, count,
                   static_cast<int>(next->tv_sec * 1000 + next->tv_usec / 1000) + 1);
            process(watched, count);
        }
    }

    // Called without sockets too: that is how c-ares learns that time has passed.
    void process(const pollfd* watched, nfds_t count) {
        ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
        for (nfds_t i = 0; i < count; ++i)
            if (watched[i].revents)
                ares_process_fd(channel_,
                                watched[i].revents & ~POLLOUT ? watched[i].fd : ARES_SOCKET_BAD,
                                watched[i].revents & POLLOUT ? watched[i].fd : ARES_SOCKET_BAD);
    }

    ares_channel channel_ = nullptr;
};

}  // namespace

TxtRecords txt_records(const std::string& name, const std::string& server) {
    set_up();
    return Channel(server).ask(name);
}

}  // namespace svc::devapi
