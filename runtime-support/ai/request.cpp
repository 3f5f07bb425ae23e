#include "ai/request.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"

namespace svc::ai {
namespace {

using json::Value;
using Kind = Value::Kind;

constexpr std::size_t kMostMessages = 64, kMostTexts = 100, kMostCharacters = 8192;
constexpr std::string_view kChatKeys[] = {"messages", "stream", "max_tokens", "model"};
constexpr std::string_view kEmbedKeys[] = {"texts"};
constexpr std::string_view kMessageKeys[] = {"role", "content"};

identity::Refusal wrong(std::string message, std::string field) {
    return identity::refusal(Code::params_invalid, std::move(message), std::move(field));
}

template <class Keys>
identity::Result<void> check_keys(const Value& object, const Keys& keys, std::string_view where) {
    for (const Value::Member& member : object.members)
        if (std::ranges::find(keys, member.name) == std::end(keys))
            return wrong(std::string(where) + " has no \"" + member.name + "\".", member.name);
    return {};
}

template <class Keys>
identity::Result<Value> read_body(std::string_view body, const Keys& keys) {
    json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty()) return wrong("The body is not JSON: " + parsed.error, "");
    if (!parsed.value.is(Kind::object)) return wrong("The body must be a JSON object.", "");
    if (const auto fit = check_keys(parsed.value, keys, "The body"); !fit) return fit.error();
    return std::move(parsed.value);
}

// Null and absent are the same.
const Value* given(const Value& in, std::string_view name) {
    const Value* value = in.find(name);
    return value && !value->is(Kind::null) ? value : nullptr;
}

identity::Result<Message> read_message(const Value& in, std::size_t index) {
    const std::string at = "messages[" + std::to_string(index) + "]";
    if (!in.is(Kind::object))
        return wrong(at + " must be an object with \"role\" and \"content\".", "messages");
    if (const auto fit = check_keys(in, kMessageKeys, at); !fit) return fit.error();
    const auto role = base::read_word<Role>(in.text_of("role"));
    if (!role) return wrong(at + ".role must be system, user or assistant.", "messages");
    const Value* content = in.find("content");
    if (!content || !content->is(Kind::string))
        return wrong(at + ".content must be a string.", "messages");
    return Message{*role, in.text_of("content")};
}

identity::Result<std::vector<Message>> read_messages(const Value& in) {
    const Value* list = in.find("messages");
    if (!list || !list->is(Kind::array) || list->items.empty() ||
        list->items.size() > kMostMessages)
        return wrong("\"messages\" must be a list of 1 to 64 messages.", "messages");
    std::vector<Message> out;
    for (const Value& item : list->items) {
        auto message = read_message(item, out.size());
        if (!message) return message.error();
        out.push_back(std::move(*message));
    }
    return out;
}

}  // namespace

identity::Result<ChatRequest> read_chat(std::string_view body) {
    const auto read = read_body(body, kChatKeys);
    if (!read) return read.error();
    auto messages = read_messages(*read);
    if (!messages) return messages.error();
    ChatRequest out;
    out.messages = std::move(*messages);
    if (const Value* stream = given(*read, "stream")) {
        if (!stream->is(Kind::boolean)) return wrong("\"stream\" must be true or false.", "stream");
        out.stream = stream->text == "true";
    }
    if (const Value* most = given(*read, "max_tokens")) {
        std::int64_t tokens = 0;
        const bool whole =
            most->is(Kind::number) && json::whole_number(most->text, tokens) == json::Whole::ok;
        if (!whole || tokens < 1)
            return wrong("\"max_tokens\" must be a whole number above 0.", "max_tokens");
        out.max_tokens = tokens;
    }
    if (const Value* model = given(*read, "model")) {
        if (!model->is(Kind::string) || model->text.empty())
            return wrong("\"model\" must be the name of a model.", "model");
        out.model = model->text;
    }
    return out;
}

identity::Result<std::vector<std::string>> read_embed(std::string_view body) {
    const auto read = read_body(body, kEmbedKeys);
    if (!read) return read.error();
    const Value* list = read->find("texts");
    if (!list || !list->is(Kind::array))
        return wrong("\"texts\" must be a list of 1 to 100 strings.", "texts");
    std::vector<std::string> out;
    for (const Value& item : list->items) {
        if (!item.is(Kind::string))
            return wrong("texts[" + std::to_string(out.size()) + "] must be a string.", "texts");
        out.push_back(item.text);
    }
    if (const auto fit = check_texts(out); !fit) return fit.error();
    return out;
}

identity::Result<void> check_texts(const std::vector<std::string>& texts) {
    if (texts.empty() || texts.size() > kMostTexts)
        return wrong("\"texts\" must be a list of 1 to 100 strings.", "texts");
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (base::characters(texts[i]) > kMostCharacters)
            return wrong("texts[" + std::to_string(i) + "] may have at most 8192 characters.",
                         "texts");
    return {};
}

identity::Result<void> check_length(const std::vector<Message>& messages, const Ai& ai) {
    std::size_t all = 0;
    for (const Message& message : messages) all += base::characters(message.content);
    if (all <= ai.max_input_chars) return {};
    return identity::refusal(Code::input_too_large,
                             "The messages have " + std::to_string(all) +
                                 " characters; this app takes " +
                                 std::to_string(ai.max_input_chars) + ". Send fewer.",
                             "messages");
}

}  // namespace svc::ai
