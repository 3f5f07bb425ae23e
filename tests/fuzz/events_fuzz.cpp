// Any bytes as what a provider of models answers: a stream of events, a completion, vectors.
#include <cmath>

#include "ai/completion.hpp"
#include "ai/tokens.hpp"
#include "base/json_text.hpp"
#include "fuzz.hpp"
#include "json/value.hpp"
#include "outgoing/event_reader.hpp"

namespace {

using svc::fuzz::demand;

struct Read {
    std::vector<std::string> events;
    bool fits = true;
    bool operator==(const Read&) const = default;
};

Read events_of(std::string_view text, std::size_t piece) {
    svc::outgoing::EventReader reader;
    Read out;
    svc::fuzz::in_pieces(text, piece, [&](std::string_view bytes) {
        if (out.fits) out.fits = reader.feed(bytes, out.events);
    });
    return out;
}

void check_usage(const std::optional<svc::ai::Usage>& usage) {
    constexpr std::int64_t kMost = 1'000'000'000;
    if (!usage) return;
    demand(usage->prompt >= 0 && usage->prompt <= kMost, "a prompt has some tokens");
    demand(usage->completion >= 0 && usage->completion <= kMost, "so has an answer");
}

void check_text(const std::string& text) {
    demand(svc::base::is_utf8(text), "a text is UTF-8");
    std::string json;
    svc::base::append_json(json, text);
    demand(json.find_first_of("\r\n") == std::string::npos, "it stays in one line of a frame");
    const svc::json::Parsed parsed = svc::json::parse(json);
    demand(parsed.error.empty() && parsed.value.text == text, "it comes out as it went in");
}

void check_event(const std::string& data) {
    const svc::ai::Chunk chunk = svc::ai::read_chunk(data);
    demand(!chunk.failed || chunk.content.empty(), "an error has no text");
    check_text(chunk.content);
    check_usage(chunk.usage);
}

void check_whole(std::string_view body) {
    const auto completion = svc::ai::read_completion(body);
    if (!completion) return;
    check_text(completion->content);
    check_usage(completion->usage);
    svc::ai::TokenEstimate estimate;
    estimate.add(completion->content);
    demand(estimate.tokens() <= static_cast<std::int64_t>(completion->content.size()),
           "a token has a byte");
}

void check_list(const std::string& list, std::size_t dimensions) {
    const svc::json::Parsed parsed = svc::json::parse(list);
    demand(parsed.error.empty() && parsed.value.items.size() == dimensions, "a list of numbers");
    for (const svc::json::Value& item : parsed.value.items)
        demand(std::isfinite(std::strtod(item.text.c_str(), nullptr)), "numbers are finite");
}

void check_vectors(std::string_view body, std::size_t count) {
    const auto vectors = svc::ai::read_vectors(body, count);
    if (!vectors) return;
    demand(vectors->each.size() == count && vectors->dimensions > 0, "as many as were asked for");
    for (const std::string& list : vectors->each) check_list(list, vectors->dimensions);
    check_usage(vectors->usage);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    svc::fuzz::Input input(bytes, size);
    const std::size_t piece = 1 + input.choice(64), count = 1 + input.choice(3);
    const Read read = events_of(input.rest(), 0);
    demand(read == events_of(input.rest(), piece), "pieces make no difference");
    for (const std::string& event : read.events) {
        demand(event.find('\r') == std::string::npos, "a line ends in CR as well");
        check_event(event);
    }
    check_whole(input.rest());
    check_vectors(input.rest(), count);
    return 0;
}
