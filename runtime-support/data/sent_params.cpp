#include "data/sent_params.hpp"

#include <optional>

#include "json/lexer.hpp"

namespace svc::data {

namespace {

using json::Token;

// The members of a body, each read once.
struct SentBody {
    std::optional<std::string_view> params;  // up to the end of the body if it is not sound
    bool sound = false;                      // params is a value
    std::optional<std::string> beside;       // another's name
    bool twice = false;
};

SentBody members_of(std::string_view body, json::Lexer& lexer) {
    SentBody out;
    std::string name;
    lexer.take('{');
    do {
        if (!lexer.string(name) || !lexer.expect(':')) return out;
        lexer.peek();
        const std::size_t begin = lexer.at();
        std::string_view value;
        const bool sound = lexer.value(value);
        if (name != "params") {
            out.beside = name;
        } else {
            out.twice = out.params.has_value();
            out.params = sound ? value : body.substr(begin);
            out.sound = sound;
        }
        if (!sound || out.twice) return out;
    } while (lexer.take(','));
    return out;
}

}  // namespace

Result<std::string_view> sent_params(std::string_view body) {
    constexpr std::string_view kNone = "{}";
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return kNone;
    json::Lexer lexer(body);
    if (lexer.peek() != Token::object) return body;
    const SentBody sent = members_of(body, lexer);
    if (!sent.params) return body;
    if (sent.twice) return bad_params("params is given twice.", "params");
    if (sent.beside) {
        const std::string shown = sent.beside->empty() ? R"("")" : *sent.beside;
        return bad_params(shown +
                              " is beside params. Send all parameters inside params, or all beside "
                              "each other without it.",
                          *sent.beside);
    }
    // The reader of the parameters reports the error with the parameter's name.
    if (!sent.sound && lexer.problem() == json::Lexer::Problem::nul) return *sent.params;
    if (!lexer.expect('}') || !lexer.expect_end()) return bad_params(lexer.message());
    return *sent.params == "null" ? kNone : *sent.params;
}

}  // namespace svc::data
