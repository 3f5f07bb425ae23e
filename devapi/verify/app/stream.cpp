#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <stdexcept>

#include "verify/app/server.hpp"

namespace svc::devapi::verification {
namespace {

namespace http = boost::beast::http;

// The value of a field in a frame's lines; "" if it has none.
std::string field_of(const std::string& frame, const std::string& name) {
    const std::string start = name + ": ";
    for (std::size_t at = 0; at < frame.size();) {
        const std::size_t end = std::min(frame.find('\n', at), frame.size());
        if (frame.compare(at, start.size(), start) == 0)
            return frame.substr(at + start.size(), end - at - start.size());
        at = end + 1;
    }
    return {};
}

}  // namespace

struct Stream::Reader {
    http::response_parser<http::string_body> parser;
    std::string unread;
    std::size_t taken = 0;  // of the body
};

Stream::Stream(int line) : line_(line), reader_(std::make_unique<Reader>()) {
    reader_->parser.body_limit(256ULL << 20);
    reader_->parser.eager(true);
}

Stream::~Stream() { ::close(line_); }

// False: it has ended, or nothing came for ten seconds.
bool Stream::read_more() {
    char piece[16 * 1024];
    const auto n = ::recv(line_, piece, sizeof piece, 0);
    if (n <= 0 || reader_->parser.is_done()) return false;
    reader_->unread.append(piece, static_cast<std::size_t>(n));
    boost::system::error_code fault;
    reader_->unread.erase(0, reader_->parser.put(boost::asio::buffer(reader_->unread), fault));
    if (fault && fault != http::error::need_more) return false;
    if (!reader_->parser.is_header_done()) return true;
    status_ = static_cast<int>(reader_->parser.get().result_int());
    const std::string& body = reader_->parser.get().body();
    unread_.append(body, reader_->taken);
    reader_->taken = body.size();
    return true;
}

std::vector<Stream::Frame> Stream::until(const std::string& last) {
    std::vector<Frame> out;
    for (;;) {
        for (std::size_t end = 0; (end = unread_.find("\n\n")) != std::string::npos;) {
            Frame frame{field_of(unread_.substr(0, end), "event"),
                        field_of(unread_.substr(0, end), "data")};
            unread_.erase(0, end + 2);
            if (frame.event == "message" && frame.data == last) return out;
            if (frame.event == "message" || frame.event == "reset") out.push_back(std::move(frame));
        }
        if (!read_more())
            throw std::runtime_error("A stream ended before the expected event came.");
    }
}

}  // namespace svc::devapi::verification
