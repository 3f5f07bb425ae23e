// Any call of a webhook: headers, an empty line, a body. What its reader gives is JSON, and no
// signature is believed that nobody made.
#include "fuzz.hpp"
#include "hook/call_body.hpp"
#include "hook/signature.hpp"
#include "http/request/guard.hpp"
#include "json/value.hpp"
#include "pay/checkout_session.hpp"

namespace {

using svc::fuzz::demand;
using svc::hook::Scheme;

constexpr Scheme kSchemes[] = {Scheme::svc,   Scheme::standard, Scheme::github, Scheme::stripe,
                               Scheme::slack, Scheme::shopify,  Scheme::none};
constexpr std::string_view kPaths[] = {"", "id", "data.object.id", "a..b", "."};
constexpr std::time_t kNow = 1'700'000'000;

// No line that the guard would not let through.
svc::http::Head head_of(svc::fuzz::Input& input) {
    svc::http::Head out;
    const std::string begin = "POST / HTTP/1.0\r\n";
    for (std::string_view line = input.line(); !line.empty(); line = input.line()) {
        const std::size_t colon = line.find(':');
        const std::string alone = begin + std::string(line) + "\r\n\r\n";
        if (colon == std::string_view::npos || !svc::http::guard(alone).empty()) continue;
        std::string_view value = line.substr(colon + 1);
        while (value.starts_with(' ')) value.remove_prefix(1);
        out.headers.push_back({line.substr(0, colon), value});
    }
    return out;
}

void check_call(Scheme scheme, const svc::http::Head& head, std::string_view body,
                std::string_view path) {
    const auto json = svc::hook::read_call_body(head, body);
    if (!json) {
        demand(!json.error().error.message.empty(), "a refusal says why");
        return;
    }
    demand(svc::fuzz::is_json(*json), "what is read is JSON");
    demand(svc::json::numbers_in_range(*json), "that can be kept");
    demand(svc::fuzz::is_json(svc::hook::input_of(head, *json)), "and so is what it starts with");
    const auto id = svc::hook::event_id(scheme, head, *json, path);
    demand(!id || (!id->empty() && id->size() <= 200 && svc::base::is_utf8(*id)),
           "an id can be kept");
    demand(id == svc::hook::event_id(scheme, head, *json, path), "and stays the same");
}

void check_session(std::string_view body) {
    const auto session = svc::pay::read_session(body);
    if (!session) return;
    svc::pay::Entry entry;
    entry.session = session->id;
    entry.reference = session->reference;
    entry.charge = 1234;
    entry.currency = "eur";
    const svc::pay::Verdict verdict = svc::pay::judge(*session, entry, false);
    demand(verdict != svc::pay::Verdict::paid ||
               (session->amount == 1234 && session->currency == "eur" &&
                session->money == svc::pay::CheckoutSession::Money::paid),
           "what was paid is what was asked for");
    entry.session += "x";
    demand(svc::pay::judge(*session, entry, true) == svc::pay::Verdict::mismatch,
           "another's session pays nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    svc::fuzz::Input input(bytes, size);
    const Scheme scheme = kSchemes[input.choice(std::size(kSchemes))];
    const std::string_view path = kPaths[input.choice(std::size(kPaths))];
    const svc::http::Head head = head_of(input);
    const std::vector<std::string> secrets = {"nobody knows this",
                                              "whsec_bm9ib2R5IGtub3dzIHRoaXM="};
    demand(
        svc::hook::verified(scheme, head, input.rest(), secrets, kNow) == (scheme == Scheme::none),
        "nobody can sign without the secret");
    check_call(scheme, head, input.rest(), path);
    check_session(input.rest());
    return 0;
}
