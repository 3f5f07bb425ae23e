// Any bytes as what a tool server answers: to a call, to a listing, whole or as events. A secret
// that it repeats is not shown.
#include "connector/tool/reply.hpp"
#include "connector/tool/tool.hpp"
#include "fuzz.hpp"
#include "outgoing/event_reader.hpp"
#include "run/call/mask.hpp"

namespace {

using svc::connector::Reply;
using svc::fuzz::demand;
using svc::json::Value;

const std::vector<std::string> kSecrets = {"hush-hush/0123456789+%"};

void check_words(const std::string& words) {
    demand(svc::base::is_utf8(words) && words.find('\0') == std::string::npos,
           "words can be recorded");
}

void check_headers(const svc::connector::Tool& tool, const Value& arguments) {
    for (const auto& [name, value] :
         svc::connector::mirrored_headers(tool.name, tool.headers, arguments)) {
        demand(name.find_first_of(" :\r\n") == std::string::npos, "a header's name is a token");
        for (const char c : value) demand(c >= ' ' && c < 127, "its value is one line of ASCII");
    }
}

void check_listing(const Value& result) {
    const Value* tools = result.find("tools");
    const Value* arguments = result.find("arguments");
    if (!tools) return;
    for (const Value& in : tools->items) {
        const auto tool = svc::connector::read_tool(in);
        if (!tool) continue;
        demand(!tool->name.empty() && tool->name.size() <= 128, "a tool has a name");
        demand(tool->hash == svc::connector::read_tool(in)->hash, "its hash stays the same");
        check_headers(*tool, arguments ? *arguments : in);
    }
}

void check_result(const Value& result) {
    const svc::connector::Outcome outcome = svc::connector::read_result(result);
    demand(outcome.ok() ? svc::fuzz::is_json(outcome.data) : outcome.data.empty(),
           "a call gives JSON or an error");
    demand(!outcome.ok() || svc::json::numbers_in_range(outcome.data), "that can be kept");
    check_words(outcome.error);
}

void check_message(std::string_view text) {
    Reply reply;
    if (!reply.take(text)) return;
    demand(reply.ok() == reply.error.is(Value::Kind::null), "an error is an error");
    demand(!reply.ok() || reply.result.is(Value::Kind::object), "a result is an object");
    check_words(reply.words());
    check_listing(reply.result);
    check_result(reply.result);
}

void check_masked(std::string_view text) {
    const std::string shown = svc::run::masked(std::string(text), kSecrets);
    demand(shown.find(kSecrets[0]) == std::string::npos, "a secret is not shown");
    const std::string around = std::string(text) + kSecrets[0] + std::string(text);
    demand(svc::run::masked(around, kSecrets).find(kSecrets[0]) == std::string::npos,
           "whatever stands around it");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    svc::fuzz::Input input(bytes, size);
    const bool streamed = input.choice(2) == 1;
    const std::string_view text = input.rest();
    check_masked(text);
    if (!streamed) {
        check_message(text);
        const std::string data = svc::connector::as_json(std::string(text), "application/json");
        demand(svc::fuzz::is_json(data), "any body becomes JSON");
        return 0;
    }
    svc::outgoing::EventReader reader;
    std::vector<std::string> events;
    reader.feed(text, events);
    for (const std::string& event : events) check_message(event);
    return 0;
}
