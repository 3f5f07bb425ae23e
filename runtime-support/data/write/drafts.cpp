#include "data/write/drafts.hpp"

#include "base/sql_state.hpp"
#include "base/uuid.hpp"
#include "data/write/write_body.hpp"
#include "json/lexer.hpp"

namespace svc::data::write {

namespace {

Error too_many() {
    return bad_params("An array may have at most 1,000 rows. Send the others in further calls.");
}

Error problem(const json::Lexer& lexer) {
    Error error = bad_params(lexer.message());
    if (lexer.problem() == json::Lexer::Problem::nul) error.sqlstate = base::sqlstate::kNoCharacter;
    return error;
}

// The text of each element.
Result<std::vector<std::string_view>> elements(std::string_view body) {
    json::Lexer lexer(body);
    std::vector<std::string_view> out;
    lexer.expect('[');
    if (lexer.take(']')) {
        if (!lexer.expect_end()) return problem(lexer);
        return out;
    }
    do {
        if (out.size() == Drafts::kMost) return too_many();
        std::string_view raw;
        if (!lexer.value(raw)) return problem(lexer);
        out.push_back(raw);
    } while (lexer.take(','));
    if (!lexer.expect(']') || !lexer.expect_end()) return problem(lexer);
    return out;
}

std::optional<Error> read(const Call& call, std::string_view text, Drafts& drafts) {
    Draft& draft = drafts.rows.emplace_back(call.entity.columns.size());
    draft.id = base::new_uuid();
    return read_row(call, Write::create, text, draft.values);
}

}  // namespace

bool is_array(std::string_view body) {
    const std::size_t first = body.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && body[first] == '[';
}

Result<Drafts> read_drafts(const Call& call) {
    Drafts drafts;
    drafts.array = is_array(call.exchange.body());
    if (!drafts.array) {
        if (auto error = read(call, call.exchange.body(), drafts)) return *error;
    } else {
        const auto texts = elements(call.exchange.body());
        if (!texts) return texts.error();
        drafts.rows.reserve(texts->size());
        for (std::size_t i = 0; i < texts->size(); ++i) {
            if (auto error = read(call, (*texts)[i], drafts)) return at_row(*error, i);
        }
    }
    for (Draft& draft : drafts.rows) {
        draft.params = bind_values(call, call.entity.create_binds, draft.values, draft.id);
    }
    return drafts;
}

Error at_row(Error error, std::size_t index) {
    const std::string number = std::to_string(index);
    error.message = "Row " + number + ": " + error.message;
    error.extra += ",\"index\":" + number;
    return error;
}

}  // namespace svc::data::write
