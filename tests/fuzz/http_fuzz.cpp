// Any bytes as a request: what the guard lets through is parsed to what its bytes say, however its
// body was cut.
#include "base/ascii.hpp"
#include "fuzz.hpp"
#include "http/request/guard.hpp"
#include "http/request/params.hpp"
#include "http/request/parser.hpp"
#include "http/request/path.hpp"

namespace {

using svc::fuzz::demand;
using svc::http::RequestParser;
using Step = RequestParser::Step;

struct Read {
    bool sound = false;
    Step step = Step::more;
    std::string body;
    std::size_t used = 0;
    bool operator==(const Read&) const = default;
};

constexpr std::string_view kKnown[] = {"limit", "where", "env"};

void check_head(const svc::http::Head& head, std::string_view sent) {
    demand(!head.method.empty() && sent.starts_with(head.method), "the method is the first word");
    const bool own = head.target == "*" || head.target.starts_with('/');
    demand(own, "the target is a path");
    for (const std::string_view text : {head.method, head.target, head.host})
        demand(text.find_first_of("\r\n\t ") == std::string_view::npos, "no blanks in words");
    demand(svc::base::is_utf8(head.path), "a path is UTF-8");
    for (const svc::http::Header& header : head.headers)
        demand(header.value.find_first_of("\r\n") == std::string_view::npos, "fields are lines");
    svc::http::check_params(head.query, svc::http::ParamNames(kKnown));
    svc::http::query_param(head.query, "where");
}

Read parse(std::string_view sent, std::string_view body, std::size_t piece) {
    svc::http::Head head;
    Read out;
    RequestParser parser(head, out.body);
    out.sound = parser.parse_head(sent);
    if (!out.sound) return out;
    check_head(head, sent);
    out.step = Step::more;
    std::string kept;  // what the parser did not take yet
    svc::fuzz::in_pieces(body, piece, [&](std::string_view bytes) {
        if (out.step != Step::more) return;
        kept += bytes;
        std::size_t used = 0;
        out.step = parser.parse_body(kept, used);
        demand(used <= kept.size(), "it takes what there is");
        kept.erase(0, used);
        out.used += used;
    });
    const std::string_view length = head.header("content-length");
    if (out.step == Step::done && !length.empty())
        demand(std::to_string(out.body.size()) ==
                   length.substr(std::min(length.find_first_not_of('0'), length.size() - 1)),
               "a body has the length that it says");
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    svc::fuzz::Input input(bytes, size);
    const std::size_t piece = 1 + input.choice(32);
    const std::size_t end = input.rest().find("\r\n\r\n");
    if (end == std::string_view::npos) return 0;
    const std::string_view head = input.rest().substr(0, end + 4),
                           body = input.rest().substr(end + 4);
    if (!svc::http::guard(head).empty()) return 0;
    const Read read = parse(head, body, 0);
    const Read cut = parse(head, body, piece);
    demand(read.sound == cut.sound, "a head is sound or it is not");
    if (read.step == Step::done || cut.step == Step::done)
        demand(read == cut, "pieces make no difference");
    return 0;
}
