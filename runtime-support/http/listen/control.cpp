#include "http/listen/control.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <deque>
#include <system_error>

#include "log/log.hpp"

namespace svc::http {
namespace {

using Fault = boost::system::error_code;

// The largest message: what a session can hold unread, and some room.
constexpr std::size_t kMessage = 128 * 1024;
// Asked of the kernel, which gives what it may: several of the largest fit in any case.
constexpr int kSendBuffer = 1024 * 1024;

struct ControlSpace {
    alignas(cmsghdr) char bytes[CMSG_SPACE(sizeof(int))];
};

// Below zero with errno where it did not go.
ssize_t send_message(int connection, const Message& message) {
    char kind = message.kind;
    iovec parts[2] = {{&kind, 1},
                      {const_cast<char*>(message.payload.data()), message.payload.size()}};
    msghdr header{};
    header.msg_iov = parts;
    header.msg_iovlen = message.payload.empty() ? 1 : 2;
    ControlSpace space{};
    if (message.fd >= 0) {
        header.msg_control = space.bytes;
        header.msg_controllen = sizeof(space.bytes);
        cmsghdr* rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(rights), &message.fd, sizeof(int));
    }
    return sendmsg(connection, &header, MSG_DONTWAIT | MSG_NOSIGNAL);
}

int received_descriptor(msghdr& header) {
    for (cmsghdr* part = CMSG_FIRSTHDR(&header); part; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(part), sizeof(int));
        return fd;
    }
    return -1;
}

class SeqpacketConnection : public ControlConnection {
  public:
    SeqpacketConnection(asio::io_context& io, int fd) : socket_(io, fd) {
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &kSendBuffer, sizeof(kSendBuffer));
    }
    ~SeqpacketConnection() override { drop_queue(); }

    void start(OnMessage on_message, OnClosed on_closed) override;
    void send(Message message) override;
    void give_back(OnMessage unsent) override { unsent_ = std::move(unsent); }
    void close() override;
    std::deque<Message> replace() override;
    void finish(std::function<void()> sent) override;

  private:
    enum class Received { message, nothing, ended };

    void wait_to_read();
    void read_all();
    Received receive(Message& message);
    void flush();
    void wait_to_write();
    void end();
    void return_queue();
    void drop_queue();
    std::shared_ptr<SeqpacketConnection> self() {
        return std::static_pointer_cast<SeqpacketConnection>(shared_from_this());
    }

    asio::posix::stream_descriptor socket_;
    OnMessage on_message_;
    OnClosed on_closed_;
    OnMessage unsent_;
    std::function<void()> sent_;
    std::deque<Message> queue_;
    std::string buffer_;
    bool writing_ = false;
};

void SeqpacketConnection::start(OnMessage on_message, OnClosed on_closed) {
    on_message_ = std::move(on_message);
    on_closed_ = std::move(on_closed);
    wait_to_read();
}

void SeqpacketConnection::wait_to_read() {
    socket_.async_wait(asio::posix::stream_descriptor::wait_read,
                       [connection = self()](const Fault& fault) {
                           if (!fault) connection->read_all();
                       });
}

void SeqpacketConnection::read_all() {
    for (;;) {
        Message message;
        Received received = receive(message);
        if (received == Received::nothing) return wait_to_read();
        if (received == Received::ended) return end();
        // The callback may replace or drop itself by closing the connection.
        OnMessage on_message = on_message_;
        on_message(std::move(message));
        if (!socket_.is_open()) return;
    }
}

SeqpacketConnection::Received SeqpacketConnection::receive(Message& message) {
    buffer_.resize(kMessage);
    iovec part{buffer_.data(), buffer_.size()};
    ControlSpace space{};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = space.bytes;
    header.msg_controllen = sizeof(space.bytes);
    ssize_t bytes = recvmsg(socket_.native_handle(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return Received::nothing;
    if (bytes <= 0) return Received::ended;
    message.fd = received_descriptor(header);
    if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
        log::write(log::Level::error, "control_message_cut");
        if (message.fd >= 0) ::close(message.fd);
        return Received::ended;
    }
    message.kind = buffer_[0];
    message.payload.assign(buffer_, 1, static_cast<std::size_t>(bytes) - 1);
    return Received::message;
}

void SeqpacketConnection::send(Message message) {
    queue_.push_back(std::move(message));
    if (!socket_.is_open()) return return_queue();
    if (!writing_) flush();
}

void SeqpacketConnection::flush() {
    while (!queue_.empty()) {
        ssize_t sent = send_message(socket_.native_handle(), queue_.front());
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS ||
                         errno == EINTR || errno == ETOOMANYREFS))
            return wait_to_write();
        if (sent < 0) {
            // The peer is gone; reading finds that out and says so.
            log::write(log::Level::warning, "control_send_failed",
                       {{"errno", std::int64_t{errno}}});
            return_queue();
            break;
        }
        if (queue_.front().fd >= 0) ::close(queue_.front().fd);
        queue_.pop_front();
    }
    if (!sent_) return;
    std::function<void()> sent = std::exchange(sent_, nullptr);
    close();
    sent();
}

void SeqpacketConnection::wait_to_write() {
    writing_ = true;
    socket_.async_wait(asio::posix::stream_descriptor::wait_write,
                       [connection = self()](const Fault& fault) {
                           connection->writing_ = false;
                           if (!fault) connection->flush();
                       });
}

void SeqpacketConnection::finish(std::function<void()> sent) {
    sent_ = std::move(sent);
    if (!writing_) flush();
}

void SeqpacketConnection::end() {
    OnClosed on_closed = on_closed_;
    std::function<void()> sent = std::exchange(sent_, nullptr);
    return_queue();
    close();
    if (on_closed) on_closed();
    if (sent) sent();
}

// Later: whoever sends is in the middle of something.
void SeqpacketConnection::return_queue() {
    if (!unsent_ || queue_.empty()) return drop_queue();
    asio::post(socket_.get_executor(), [unsent = unsent_, queue = std::move(queue_)]() mutable {
        for (Message& message : queue) unsent(std::move(message));
    });
    queue_.clear();
}

// The shutdown comes first: between the last reading and the close the peer might send once more.
std::deque<Message> SeqpacketConnection::replace() {
    ::shutdown(socket_.native_handle(), SHUT_RD);
    on_closed_ = nullptr;
    std::deque<Message> queue = std::exchange(queue_, {});
    Message message;
    while (socket_.is_open() && receive(message) == Received::message)
        if (const OnMessage on_message = on_message_) on_message(std::exchange(message, {}));
    close();
    return queue;
}

void SeqpacketConnection::close() {
    drop_queue();
    on_message_ = nullptr;
    on_closed_ = nullptr;
    unsent_ = nullptr;
    Fault ignored;
    socket_.close(ignored);
}

void SeqpacketConnection::drop_queue() {
    for (Message& message : queue_) {
        if (message.fd >= 0) ::close(message.fd);
    }
    queue_.clear();
}

}  // namespace

std::shared_ptr<ControlConnection> ControlConnection::attach(asio::io_context& io, int fd) {
    return std::make_shared<SeqpacketConnection>(io, fd);
}

Message to_message(char kind, Connection connection) {
    Message message;
    message.kind = kind;
    message.fd = connection.fd;
    if (kind == 'C') message.payload = connection.must_serve ? '\1' : '\0';
    message.payload += connection.unread;
    return message;
}

Connection to_connection(Message message) {
    Connection connection;
    connection.fd = message.fd;
    std::size_t marks = message.kind == 'C' && !message.payload.empty() ? 1 : 0;
    connection.must_serve = marks == 1 && message.payload[0] == '\1';
    connection.unread = message.payload.substr(marks);
    return connection;
}

}  // namespace svc::http
