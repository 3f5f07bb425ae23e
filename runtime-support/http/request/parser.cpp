#include "http/request/parser.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>

#include "http/request/path.hpp"

namespace svc::http {
namespace {

// Reserved at once for a body of known length; the rest follows as bytes come in, so that a length
// that is only claimed costs nothing.
constexpr std::uint64_t kReserved = 64 * 1024;

std::string_view plain(boost::beast::string_view text) { return {text.data(), text.size()}; }

std::string_view without_port(std::string_view host) {
    std::size_t bracket = host.rfind(']');
    std::size_t colon = host.rfind(':');
    if (colon == host.npos || (bracket != host.npos && colon < bracket)) return host;
    return host.substr(0, colon);
}

}  // namespace

RequestParser::RequestParser(Head& head, std::string& body) : head_(head), body_(body) {
    head_.headers.clear();
    head_.host = {};
    body_.clear();
    // Limits are the session's: it has measured the head and knows the route's bound for the body.
    header_limit(1U << 20);
    body_limit(boost::none);
    eager(false);
}

bool RequestParser::parse_head(std::string_view bytes) {
    Fault fault;
    std::size_t used = put(boost::asio::buffer(bytes.data(), bytes.size()), fault);
    if (fault || used != bytes.size() || !is_header_done()) return false;
    head_.keep_alive = keep_alive();
    return true;
}

// One step of Beast's: a line of a chunk, or bytes of the body.
RequestParser::Step RequestParser::put_some(std::string_view bytes, std::size_t& used) {
    Fault fault;
    used += put(boost::asio::buffer(bytes.data() + used, bytes.size() - used), fault);
    if (fault == boost::beast::http::error::need_more) return Step::more;
    if (fault == boost::beast::http::error::body_limit) return Step::too_large;
    if (fault) return Step::malformed;
    return Step::done;
}

RequestParser::Step RequestParser::parse_body(std::string_view bytes, std::size_t& used) {
    used = 0;
    while (!is_done() && used < bytes.size())
        if (const Step step = put_some(bytes, used); step != Step::done) return step;
    return is_done() ? Step::done : Step::more;
}

RequestParser::Step RequestParser::parse_piece(std::string_view bytes, std::size_t& used,
                                               std::string_view& piece) {
    piece = {};
    piece_ = &piece;
    used = 0;
    Step step = Step::done;
    while (step == Step::done && piece.empty() && !is_done() && used < bytes.size())
        step = put_some(bytes, used);
    piece_ = nullptr;
    if (step != Step::done) return step;
    return is_done() ? Step::done : Step::more;
}

void RequestParser::on_request_impl(boost::beast::http::verb, View method, View target, int version,
                                    Fault&) {
    http_1_0_ = version == 10;
    head_.method = plain(method);
    head_.target = plain(target);
    std::size_t mark = head_.target.find('?');
    head_.path = head_.target.substr(0, mark);
    head_.decoded.reset();
    if (head_.path.find('%') != head_.path.npos) {
        head_.decoded = std::make_shared<const std::string>(decode_path(head_.path));
        head_.path = *head_.decoded;
    }
    head_.query = mark == head_.target.npos ? std::string_view() : head_.target.substr(mark + 1);
}

void RequestParser::on_field_impl(boost::beast::http::field field, View name, View value, Fault&) {
    // Trailers of a chunked body are not headers: nobody guarded them.
    if (!in_head_) return;
    head_.headers.push_back({plain(name), plain(value)});
    if (field == boost::beast::http::field::host) head_.host = without_port(plain(value));
}

void RequestParser::on_header_impl(Fault&) { in_head_ = false; }

void RequestParser::on_body_init_impl(const boost::optional<std::uint64_t>& length, Fault&) {
    if (length) body_.reserve(static_cast<std::size_t>(std::min(*length, kReserved)));
}

std::size_t RequestParser::take(View bytes) {
    if (piece_)
        *piece_ = plain(bytes);
    else
        body_.append(bytes.data(), bytes.size());
    return bytes.size();
}

std::size_t RequestParser::on_body_impl(View bytes, Fault&) { return take(bytes); }

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, View bytes, Fault&) {
    return take(bytes);
}

}  // namespace svc::http
