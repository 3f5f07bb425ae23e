// Beast's incremental parser over a buffer that stays in place: the head becomes views into it, the
// body is collected.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <string>

#include "http/exchange.hpp"

namespace svc::http {

class RequestParser : public boost::beast::http::basic_parser<true> {
  public:
    // Fills `head` and `body`, which must outlive the parser.
    RequestParser(Head& head, std::string& body);

    // Parses a whole, guarded head. False if it is malformed after all.
    bool parse_head(std::string_view bytes);

    enum class Step { more, done, malformed, too_large };
    // Takes what it can of `bytes`; `used` says how many.
    Step parse_body(std::string_view bytes, std::size_t& used);
    // The same for a body that nobody collects: `piece` are its next bytes, a view into `bytes`;
    // empty: there are none yet.
    Step parse_piece(std::string_view bytes, std::size_t& used, std::string_view& piece);

    bool http_1_0() const { return http_1_0_; }

  private:
    using View = boost::beast::string_view;
    using Fault = boost::beast::error_code;

    void on_request_impl(boost::beast::http::verb, View method, View target, int version,
                         Fault&) override;
    void on_response_impl(int, View, int, Fault&) override {}
    void on_field_impl(boost::beast::http::field, View name, View value, Fault&) override;
    void on_header_impl(Fault&) override;
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, Fault&) override;
    std::size_t on_body_impl(View bytes, Fault&) override;
    void on_chunk_header_impl(std::uint64_t, View, Fault&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, View bytes, Fault&) override;
    Step put_some(std::string_view bytes, std::size_t& used);
    std::size_t take(View bytes);
    void on_finish_impl(Fault&) override {}

    Head& head_;
    std::string& body_;
    std::string_view* piece_ = nullptr;  // set: gets the bytes in place of the body
    bool in_head_ = true;
    bool http_1_0_ = false;
};

}  // namespace svc::http
