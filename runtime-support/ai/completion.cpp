#include "ai/completion.hpp"

#include <cmath>
#include <cstdlib>

#include "base/json_slice.hpp"
#include "base/number.hpp"
#include "json/formats.hpp"
#include "json/lexer.hpp"
#include "json/value.hpp"

namespace svc::ai {
namespace {

using json::Value;
using Kind = Value::Kind;

// More than any call uses: what is beyond is a mistake of the provider's.
constexpr std::int64_t kMostTokens = 1'000'000'000;

std::optional<std::int64_t> tokens_of(const Value& usage, std::string_view name) {
    const Value* value = usage.find(name);
    std::int64_t tokens = 0;
    if (!value || !value->is(Kind::number) ||
        json::whole_number(value->text, tokens) != json::Whole::ok || tokens < 0 ||
        tokens > kMostTokens)
        return std::nullopt;
    return tokens;
}

std::optional<Usage> usage_of(const Value& answer) {
    const Value* usage = answer.find("usage");
    if (!usage || !usage->is(Kind::object)) return std::nullopt;
    const auto prompt = tokens_of(*usage, "prompt_tokens");
    if (!prompt) return std::nullopt;
    return Usage{*prompt, tokens_of(*usage, "completion_tokens").value_or(0)};
}

// The first choice's member of this name: "message", or "delta".
const Value* of_choice(const Value& answer, std::string_view name, const Value** choice) {
    const Value* choices = answer.find("choices");
    if (!choices || choices->items.empty()) return nullptr;
    *choice = &choices->items.front();
    return (*choice)->find(name);
}

// A number that a double can hold. Without an exponent it would take hundreds of digits not to be.
bool is_finite(std::string_view number) {
    constexpr std::size_t kSure = 300;
    if (!json::is_number(number)) return false;
    if (number.size() <= kSure && number.find_first_of("eE") == std::string_view::npos) return true;
    return std::isfinite(std::strtod(std::string(number).c_str(), nullptr));
}

// A list of numbers, without its blanks; empty if the text is not one.
std::string list_of_numbers(std::string_view list, std::size_t& count) {
    std::string out;
    if (!base::take(list, '[')) return out;
    out += '[';
    for (count = 0; !base::take(list, ']'); ++count) {
        if (count > 0 && !base::take(list, ',')) return {};
        const std::string_view number = base::take_value(list);
        if (!is_finite(number)) return {};
        if (count > 0) out += ',';
        out += number;
    }
    return out + ']';
}

// The value of this member of the object that `text` is; empty if it has none.
std::string_view member(std::string_view text, std::string_view name) {
    if (!base::take(text, '{')) return {};
    while (!text.empty() && !base::take(text, '}')) {
        const std::string_view key = base::take_value(text);
        if (!base::take(text, ':')) return {};
        const std::string_view value = base::take_value(text);
        if (key.size() == name.size() + 2 && key.substr(1, name.size()) == name) return value;
        base::take(text, ',');
    }
    return {};
}

std::size_t index_of(std::string_view item, std::size_t otherwise) {
    return base::number_of(member(item, "index"), otherwise);
}

bool read_lists(std::string_view data, std::size_t count, Vectors& out) {
    out.each.resize(count);
    if (!base::take(data, '[')) return false;
    std::size_t place = 0;
    for (; !base::take(data, ']'); ++place) {
        if (place > 0 && !base::take(data, ',')) return false;
        const std::string_view item = base::take_value(data);
        const std::size_t index = index_of(item, place);
        std::size_t numbers = 0;
        if (index >= count || !out.each[index].empty()) return false;
        out.each[index] = list_of_numbers(member(item, "embedding"), numbers);
        if (numbers == 0 || out.each[index].empty()) return false;
        if (place > 0 && numbers != out.dimensions) return false;
        out.dimensions = numbers;
    }
    return place == count;
}

}  // namespace

std::optional<Completion> read_completion(std::string_view body) {
    const json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty()) return std::nullopt;
    const Value* choice = nullptr;
    const Value* message = of_choice(parsed.value, "message", &choice);
    if (!message || !message->is(Kind::object)) return std::nullopt;
    return Completion{message->text_of("content"), usage_of(parsed.value)};
}

Chunk read_chunk(std::string_view data) {
    Chunk out;
    const json::Parsed parsed = json::parse(data);
    const Value* error = parsed.value.find("error");
    out.failed = !parsed.error.empty() || !parsed.value.is(Kind::object) ||
                 (error && !error->is(Kind::null));
    if (out.failed) {
        if (error) out.code = error->text_of("code");
        return out;
    }
    out.usage = usage_of(parsed.value);
    const Value* choice = nullptr;
    const Value* delta = of_choice(parsed.value, "delta", &choice);
    if (delta) out.content = delta->text_of("content");
    out.finished = choice && !choice->text_of("finish_reason").empty();
    return out;
}

std::optional<Vectors> read_vectors(std::string_view body, std::size_t count) {
    json::Lexer lexer(body);
    std::string_view all;
    if (!lexer.value(all) || !lexer.expect_end()) return std::nullopt;
    Vectors out;
    if (!read_lists(member(all, "data"), count, out)) return std::nullopt;
    const auto small = [&](std::string_view name) {
        return json::parse(member(all, name).substr(0, 4096));
    };
    out.model = small("model").value.text;
    const std::string wrapped = R"({"usage":)" + small("usage").value.shown() + "}";
    out.usage = usage_of(json::parse(wrapped).value);
    return out;
}

}  // namespace svc::ai
