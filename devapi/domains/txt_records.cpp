#include "domains/txt_records.hpp"

#include <ares.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>

namespace svc::devapi {
namespace {

constexpr int kInternet = 1, kTxt = 16;  // RFC 1035, 3.2
constexpr int kFirstTryMilliseconds = 1500, kTries = 2;
constexpr auto kLookUpTime = std::chrono::seconds(5);

using Clock = std::chrono::steady_clock;

struct EndChannel {
    void operator()(ares_channeldata* channel) const { ares_destroy(channel); }
};
using DnsChannel = std::unique_ptr<ares_channeldata, EndChannel>;

// No channel: `servers` cannot be read, or the system has no settings.
DnsChannel channel_to(const std::string& servers) {
    static const int ready = ares_library_init(ARES_LIB_INIT_ALL);
    if (ready != ARES_SUCCESS) return nullptr;
    ares_options options{};
    options.timeout = kFirstTryMilliseconds;
    options.tries = kTries;
    ares_channel made = nullptr;
    if (ares_init_options(&made, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES) != ARES_SUCCESS)
        return nullptr;
    DnsChannel channel(made);
    if (!servers.empty() && ares_set_servers_ports_csv(made, servers.c_str()) != ARES_SUCCESS)
        return nullptr;
    return channel;
}

struct DnsQuestion {
    TxtRecords* answer = nullptr;
    std::size_t* open = nullptr;
};

// A record's strings come one by one; the first of each says so.
TxtRecords texts_of(const ares_txt_ext* found) {
    TxtRecords out{TxtRecords::Status::found};
    for (; found; found = found->next) {
        if (found->record_start || out.texts.empty()) out.texts.emplace_back();
        out.texts.back().append(reinterpret_cast<const char*>(found->txt), found->length);
    }
    return out;
}

TxtRecords read_answer(int status, const unsigned char* bytes, int length) {
    ares_txt_ext* found = nullptr;
    if (status == ARES_SUCCESS) status = ares_parse_txt_reply_ext(bytes, length, &found);
    const std::unique_ptr<ares_txt_ext, void (*)(void*)> end(found, ares_free_data);
    if (status == ARES_SUCCESS) return texts_of(found);
    if (status == ARES_ENOTFOUND || status == ARES_ENODATA) return {TxtRecords::Status::none};
    if (status == ARES_ECANCELLED) status = ARES_ETIMEOUT;
    return {TxtRecords::Status::unknown, {}, ares_strerror(status)};
}

void take_answer(void* question, int status, int, unsigned char* bytes, int length) {
    const auto& [answer, open] = *static_cast<DnsQuestion*>(question);
    *answer = read_answer(status, bytes, length);
    --*open;
}

// Waits for what comes first: an answer, a time-out of c-ares or `left`.
void step(ares_channel channel, std::chrono::milliseconds left) {
    ares_socket_t sockets[ARES_GETSOCK_MAXNUM];
    const int wanted = ares_getsock(channel, sockets, ARES_GETSOCK_MAXNUM);
    pollfd polled[ARES_GETSOCK_MAXNUM];
    nfds_t count = 0;
    for (int i = 0; i < ARES_GETSOCK_MAXNUM; ++i) {
        const bool reads = ARES_GETSOCK_READABLE(wanted, i);
        const bool writes = ARES_GETSOCK_WRITABLE(wanted, i);
        if (!reads && !writes) continue;
        const int events = (reads ? POLLIN : 0) | (writes ? POLLOUT : 0);
        polled[count++] = {sockets[i], static_cast<short>(events), 0};
    }
    timeval most{left.count() / 1000, left.count() % 1000 * 1000}, next{};
    const timeval* wait = ares_timeout(channel, &most, &next);
    ::poll(polled, count, static_cast<int>(wait->tv_sec * 1000 + wait->tv_usec / 1000 + 1));
    for (nfds_t i = 0; i < count; ++i) {
        const bool came = polled[i].revents & (POLLIN | POLLERR | POLLHUP);
        const bool goes = polled[i].revents & POLLOUT;
        ares_process_fd(channel, came ? polled[i].fd : ARES_SOCKET_BAD,
                        goes ? polled[i].fd : ARES_SOCKET_BAD);
    }
    ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);  // what is over its time
}

}  // namespace

bool TxtRecords::hold(const std::string& text) const {
    return std::ranges::find(texts, text) != texts.end();
}

std::map<std::string, TxtRecords> txt_records(const std::string& servers,
                                              const std::vector<std::string>& names) {
    std::map<std::string, TxtRecords> answers;
    for (const auto& name : names) answers[name];
    std::vector<DnsQuestion> questions;
    questions.reserve(answers.size());
    std::size_t open = answers.size();
    for (auto& [name, answer] : answers) questions.push_back({&answer, &open});
    // Ends before what its answers are written to.
    const DnsChannel channel = channel_to(servers);
    for (auto& [name, answer] : answers)
        if (!channel) answer.trouble = "no DNS server is set: SVC_DNS_SERVER";
    if (!channel) return answers;
    auto question = questions.begin();
    for (const auto& [name, answer] : answers)
        ares_query(channel.get(), name.c_str(), kInternet, kTxt, take_answer, &*question++);
    for (const auto end = Clock::now() + kLookUpTime; open > 0;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0) break;
        step(channel.get(), left);
    }
    ares_cancel(channel.get());
    return answers;
}

bool are_dns_servers(const std::string& servers) { return channel_to(servers) != nullptr; }

}  // namespace svc::devapi
