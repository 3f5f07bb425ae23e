#include "ops/document.hpp"

#include "base/sha256.hpp"
#include "identity/token.hpp"

namespace svc::ops {
namespace {

constexpr std::size_t kTagDigits = 32;

std::string tag_of(std::string_view text) {
    const std::string digits = identity::bytea_text(base::sha256(text)).substr(2, kTagDigits);
    return '"' + digits + '"';
}

}  // namespace

void Document::answer(http::Exchange& exchange) {
    if (tag_.empty()) tag_ = tag_of(text_);
    http::Reply& reply = exchange.reply();
    reply.header("ETag", tag_);
    reply.header("Cache-Control", "private, no-cache");
    const std::string_view known = exchange.head().header("if-none-match");
    if (known == "*" || known.find(tag_) != std::string_view::npos)
        reply.status = 304;
    else
        reply.body = text_;
}

}  // namespace svc::ops
