// Block chat: a chat with the app's assistant. The server keeps no word of it: the messages so far
// stand in the form, and come back with the next message.
#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "page/action/moves.hpp"
#include "page/answer.hpp"
#include "page/block.hpp"
#include "page/form/form_body.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kMostMessages = 64;          // of one call
constexpr std::size_t kMostBytes = kFormText / 2;  // the answer and the next message need room too

std::string member_of(const ChatMessage& message, std::size_t index) {
    return (message.by_caller ? "u" : "a") + std::to_string(index);
}

std::vector<ChatMessage> messages_of(const Members& form) {
    std::vector<ChatMessage> out;
    while (out.size() < kMostMessages) {
        const std::string at = std::to_string(out.size());
        const std::string* own = form.find("u" + at);
        const std::string* other = own ? own : form.find("a" + at);
        if (!other) break;
        out.push_back({own != nullptr, *other});
    }
    return out;
}

std::size_t characters_of(const std::vector<ChatMessage>& messages) {
    std::size_t out = 0;
    for (const ChatMessage& message : messages) out += base::characters(message.text);
    return out;
}

std::size_t bytes_of(const std::vector<ChatMessage>& messages) {
    std::size_t out = 0;
    for (const ChatMessage& message : messages) out += message.text.size();
    return out;
}

// The oldest pairs go where the app takes no more at once, or a form holds no more.
void fit(const App& app, std::vector<ChatMessage>& messages) {
    const auto too_much = [&] {
        return messages.size() >= kMostMessages || bytes_of(messages) > kMostBytes ||
               characters_of(messages) > app.ai.max_input_chars;
    };
    while (messages.size() > 2 && too_much())
        messages.erase(messages.begin(), messages.begin() + 2);
}

std::string body_of_chat(const std::vector<ChatMessage>& messages, bool streams) {
    std::string out =
        streams ? R"({"stream":true,"messages":[)" : R"({"stream":false,"messages":[)";
    for (const ChatMessage& message : messages) {
        if (out.back() != '[') out += ',';
        out += message.by_caller ? R"({"role":"user","content":)"
                                 : R"({"role":"assistant","content":)";
        base::append_json(out, message.text);
        out += '}';
    }
    return out + "]}";
}

std::string refusal_words(const App& app, const Answer& answer) {
    const std::string code = answer.error("code");
    if (code == name(Code::ai_disabled)) return "The assistant is not set up yet.";
    if (code == name(Code::budget_exceeded))
        return "The assistant has answered as much as it may today. Come back tomorrow.";
    if (code == name(Code::insufficient_credits))
        return "The assistant cannot answer right now. Whoever looks after this app has to renew "
               "its credit.";
    if (code == name(Code::input_too_large))
        return "This is too long: at most " + std::to_string(app.ai.max_input_chars) +
               " characters.";
    if (code == name(Code::model_not_allowed) || code == name(Code::tool_not_allowed))
        return "The assistant may not be asked here.";
    if (answer.status == 401) return "Your session has ended. Sign in again.";
    return "The assistant did not answer. Try again in a moment.";
}

void write_message(Html& out, bool by_caller, std::string_view text) {
    out << "<li class=\"said "
        << (by_caller ? std::string_view("mine") : std::string_view("theirs"))
        << "\"><span class=\"hidden\">"
        << (by_caller ? std::string_view("You: ") : std::string_view("Assistant: ")) << "</span><p>"
        << text << "</p></li>";
}

void write_ask(Html& out, const Visit& visit, const Block& block, std::size_t number,
               const std::vector<ChatMessage>& messages, bool failed) {
    const std::string id = member_name(number, "say");
    // The messages until now come back with the next one.
    out << "<form method=\"post\" enctype=\"multipart/form-data\" class=\"ask\"";
    out.attribute("action", visit.with(number, "", "") + "#" + id) << ">";
    write_number(out, number);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        out << "<input type=\"hidden\"";
        out.attribute("name", member_of(messages[i], i)).attribute("value", messages[i].text)
            << ">";
    }
    out << "<label class=\"hidden\"";
    out.attribute("for", id) << ">Your message</label><textarea rows=\"2\" name=\"say\" required";
    out.attribute("id", id).attribute("placeholder", block.placeholder.empty()
                                                         ? std::string_view("Write a message")
                                                         : block.placeholder);
    if (failed) out << " aria-invalid=\"true\"";
    if (!messages.empty() || failed) out << " autofocus";
    out << ">\n"
        << (failed ? visit.form.text("say") : std::string_view())
        << "</textarea><button class=\"button primary\" name=\"_do\" value=\"say\">Send</button>"
           "</form>";
}

// The script of the page shows the answer as it comes; everybody else gets a page.
bool wants_stream(const Visit& visit) {
    return visit.exchange.head().header("accept").starts_with("text/event-stream");
}

// The script takes the words alone. True: answered.
Progress refuse_message(Visit& visit, std::size_t number, std::string words) {
    if (!wants_stream(visit)) {
        visit.problems = Problems{.block = number, .whole = std::move(words)};
        return Progress::goes_on;
    }
    http::Reply& reply = visit.exchange.reply();
    reply.status = 422;
    reply.content_type = "text/plain; charset=utf-8";
    reply.body = std::move(words);
    secure(reply, "");
    return Progress::answered;
}

}  // namespace

Task<> write_chat(Visit& visit, const Block& block, std::size_t number, Html& out) {
    const bool failed = has_failed(visit, number);
    const std::vector<ChatMessage> none;
    const std::vector<ChatMessage>& messages =
        visit.chat.block == number ? visit.chat.messages : none;
    open_block(out, "chat", block.title, number, Html());
    out << "<div class=\"chat-card\"><div role=\"log\" aria-label=\"Conversation\"><ol "
           "class=\"talk\">";
    write_message(out, false,
                  block.text.empty() ? std::string_view("How can I help?") : block.text);
    for (const ChatMessage& message : messages) write_message(out, message.by_caller, message.text);
    out << "</ol></div>";
    if (failed) write_notice(out, visit.problems->whole);
    write_ask(out, visit, block, number, messages, failed);
    out << "<p class=\"hint start-over\""
        << (messages.empty() ? std::string_view(" hidden") : std::string_view())
        << ">Nothing of this is kept on the server. <a";
    out.href(visit.place()) << ">Start over</a></p>";
    out << "</div>";
    close_block(out);
    co_return;
}

Task<Progress> ask_assistant(Visit& visit, const Block&, std::size_t number) {
    visit.chat = {number, messages_of(visit.form)};
    std::vector<ChatMessage> messages = visit.chat.messages;
    messages.push_back({true, std::string(visit.form.text("say"))});
    fit(visit.app(), messages);
    if (messages.back().text.find_first_not_of(" \n\t") == std::string::npos)
        co_return refuse_message(visit, number, "Write a message first.");
    const bool streams = wants_stream(visit);
    Answer answer;
    if (streams)
        answer = co_await visit.api.stream("/ai/chat", body_of_chat(messages, true));
    else
        answer = co_await visit.api.send("POST", "/ai/chat", body_of_chat(messages, false),
                                         std::string());
    if (answer.streams) {
        secure(visit.exchange.reply(), "");
        co_return Progress::answered;
    }
    if (!answer.ok()) co_return refuse_message(visit, number, refusal_words(visit.app(), answer));
    std::string message = answer.body.text_of("content");
    if (message.empty()) message = "…";
    messages.push_back({false, std::move(message)});
    visit.chat.messages = std::move(messages);
    co_return Progress::goes_on;
}

}  // namespace svc::page
