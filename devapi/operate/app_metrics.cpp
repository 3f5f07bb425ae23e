#include "operate/app_metrics.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>

#include "http/listen/unix_socket.hpp"

namespace svc::devapi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kAll{2};
constexpr std::size_t kMostMetrics = std::size_t{1} << 20;
constexpr std::string_view kRequest =
    "GET /metrics HTTP/1.1\r\nHost: app\r\nConnection: close\r\n\r\n";

bool ready(int fd, short events, Clock::time_point end) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd wait{fd, events, 0};
    return left.count() > 0 && ::poll(&wait, 1, static_cast<int>(left.count())) == 1;
}

// The whole answer, until the other side closes.
std::optional<std::string> answer_of(int fd, Clock::time_point end) {
    if (!ready(fd, POLLOUT, end)) return std::nullopt;
    const auto sent = ::send(fd, kRequest.data(), kRequest.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(kRequest.size())) return std::nullopt;
    std::string out;
    while (out.size() < kMostMetrics && ready(fd, POLLIN, end)) {
        char piece[8192];
        const auto bytes = ::recv(fd, piece, sizeof piece, 0);
        if (bytes == 0) return out;
        if (bytes < 0) return std::nullopt;
        out.append(piece, static_cast<std::size_t>(bytes));
    }
    return std::nullopt;
}

std::optional<std::string> metrics_at(const std::string& socket, Clock::time_point end) {
    int fd = -1;
    try {
        fd = http::connect_to(socket, SOCK_STREAM);
    } catch (const std::system_error&) {
        return std::nullopt;  // it is starting, or has ended
    }
    auto answer = answer_of(fd, end);
    ::close(fd);
    if (!answer || !answer->starts_with("HTTP/1.1 200 ")) return std::nullopt;
    const auto head = answer->find("\r\n\r\n");
    return head == answer->npos ? std::nullopt : std::optional(answer->substr(head + 4));
}

std::string_view next_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

// name{kind="rows"} 1, with the labels of its app in front.
std::string labelled(std::string_view sample, const std::string& labels) {
    const auto name = std::min(sample.find_first_of("{ "), sample.size());
    std::string_view rest = sample.substr(name);
    std::string out = std::string(sample.substr(0, name)) + '{' + labels;
    if (rest.starts_with('{')) {
        rest.remove_prefix(1);
        return out.append(",").append(rest) + '\n';
    }
    return out.append("}").append(rest) + '\n';
}

}  // namespace

void GatheredMetrics::add(const MeteredApp& app, std::string_view text) {
    const std::string labels =
        "project=\"" + app.project + "\",environment=\"" + name(app.env) + '"';
    constexpr std::string_view kHelp = "# HELP ", kType = "# TYPE ";
    auto family = families_.end();
    bool fresh = false;
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        if (line.starts_with(kHelp)) {
            const std::string_view named = line.substr(kHelp.size());
            const std::string_view name = named.substr(0, named.find(' '));
            family = std::find_if(families_.begin(), families_.end(),
                                  [name](const Family& one) { return one.name == name; });
            fresh = family == families_.end();
            if (fresh) family = families_.insert(family, {std::string(name), {}, {}});
        }
        if (family == families_.end()) continue;
        if (!line.starts_with('#'))
            family->samples += labelled(line, labels);
        else if (fresh && (line.starts_with(kHelp) || line.starts_with(kType)))
            family->about.append(line).append("\n");
    }
}

std::string GatheredMetrics::text() const {
    std::string out;
    for (const Family& family : families_) out.append(family.about).append(family.samples);
    return out;
}

std::string gather_metrics(const std::vector<MeteredApp>& apps, std::size_t& silent) {
    GatheredMetrics all;
    const auto end = Clock::now() + kAll;
    silent = 0;
    for (const MeteredApp& app : apps) {
        const auto text = metrics_at(app.socket, end);
        if (text)
            all.add(app, *text);
        else
            ++silent;
    }
    return all.text();
}

}  // namespace svc::devapi
