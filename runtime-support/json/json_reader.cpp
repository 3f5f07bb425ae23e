#include "json/json_reader.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "base/json_text.hpp"
#include "base/sql_state.hpp"
#include "base/utf8.hpp"
#include "json/formats.hpp"
#include "json/lexer.hpp"
#include "json/mistyped.hpp"

namespace svc::json {

// One step of a JsonReader: the lexer at its position, and the reader's error.
class JsonScanner {
  public:
    explicit JsonScanner(JsonReader& reader) : reader_(reader), lexer_(reader.text_, reader.at_) {}
    ~JsonScanner() { reader_.at_ = lexer_.at(); }
    JsonScanner(const JsonScanner&) = delete;
    JsonScanner& operator=(const JsonScanner&) = delete;

    bool next_member();

    bool read(Slot& out, const Column& column);

    bool mistake(std::string_view sqlstate, std::string message, std::string_view field);

  private:
    bool take(std::string& out, const Column& column);
    bool text(std::string& out, const Column& column);
    bool whole(std::string& out, const Column& column);
    bool floating(std::string& out, const Column& column);
    bool boolean(std::string& out, const Column& column);
    bool decimal(std::string& out, const Column& column);
    bool json_text(std::string& out, const Column& column);
    bool uuid(std::string& out, const Column& column);
    bool key(std::string& out, const Column& column);
    bool tags(std::string& out, const Column& column);

    bool checked(std::string& out, const Column& column, bool (*check)(std::string_view));
    bool string(std::string& out, const Column& column);
    bool number(std::string_view& raw, const Column& column);

    bool mistyped(const Column& column);  // the value that comes next is of the wrong type
    bool lexer_mistake(std::string_view field);

    JsonReader& reader_;
    Lexer lexer_;
};

// ---- members ----

bool JsonScanner::next_member() {
    if (reader_.failed()) return false;
    if (!reader_.opened_) {
        if (lexer_.peek() != Token::object) {
            return mistake({}, "The body must be a JSON object.", "");
        }
        lexer_.take('{');
        reader_.opened_ = true;
        if (lexer_.take('}')) return lexer_.expect_end() || lexer_mistake("");
    } else if (!lexer_.take(',')) {
        return (lexer_.expect('}') && lexer_.expect_end()) || lexer_mistake("");
    }
    if (!lexer_.string(reader_.name_) || !lexer_.expect(':')) return lexer_mistake("");
    auto& seen = reader_.seen_;
    if (std::find(seen.begin(), seen.end(), reader_.name_) != seen.end()) {
        return mistake({}, reader_.name_ + " is given twice.", reader_.name_);
    }
    seen.push_back(reader_.name_);
    return true;
}

// ---- values ----

bool JsonScanner::string(std::string& out, const Column& column) {
    if (lexer_.peek() != Token::string) return mistyped(column);
    return lexer_.string(out) || lexer_mistake(column.name);
}

bool JsonScanner::number(std::string_view& raw, const Column& column) {
    if (lexer_.peek() != Token::number) return mistyped(column);
    return lexer_.number(raw) || lexer_mistake(column.name);
}

bool JsonScanner::read(Slot& out, const Column& column) {
    if (reader_.failed()) return false;
    if (lexer_.peek() == Token::null_word) {
        std::string_view raw;
        if (!lexer_.value(raw)) return lexer_mistake(column.name);
        out.state = Slot::null;
        return true;
    }
    if (!take(out.text, column)) return false;
    out.state = Slot::given;
    return true;
}

bool JsonScanner::take(std::string& out, const Column& column) {
    switch (column.type) {
        case Type::text:
        case Type::enumeration:
            return text(out, column);
        case Type::integer:
        case Type::money:
            return whole(out, column);
        case Type::decimal:
            return decimal(out, column);
        case Type::floating:
            return floating(out, column);
        case Type::boolean:
            return boolean(out, column);
        case Type::date:
            return checked(out, column, base::is_date);
        case Type::time:
            return checked(out, column, base::is_time);
        case Type::timestamp:
            return checked(out, column, base::is_moment);
        case Type::tags:
            return tags(out, column);
        case Type::json:
            return json_text(out, column);
        case Type::uuid:
            return uuid(out, column);
        case Type::key:
            return key(out, column);
    }
    return false;
}

bool JsonScanner::text(std::string& out, const Column& column) {
    if (!string(out, column)) return false;
    if (column.max_length != 0 && out.size() > column.max_length &&
        base::characters(out) > column.max_length) {
        return mistake(base::sqlstate::kTextTooLong, too_long(column), column.name);
    }
    return true;
}

bool JsonScanner::whole(std::string& out, const Column& column) {
    std::string_view raw;
    std::int64_t value = 0;
    if (!number(raw, column)) return false;
    switch (whole_number(raw, value)) {
        case Whole::ok:
            out = std::to_string(value);
            return true;
        case Whole::not_whole:
            return mistake(base::sqlstate::kBadText, json::mistyped(column, raw), column.name);
        case Whole::out_of_range:
            return mistake(base::sqlstate::kOutOfRange, out_of_range(column, raw), column.name);
    }
    return false;
}

bool JsonScanner::floating(std::string& out, const Column& column) {
    std::string_view raw;
    double value = 0;
    if (!number(raw, column)) return false;
    const auto read = std::from_chars(raw.data(), raw.data() + raw.size(), value);
    if (read.ec != std::errc{})
        return mistake(base::sqlstate::kOutOfRange, out_of_range(column, raw), column.name);
    char digits[32];
    out.assign(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    return true;
}

bool JsonScanner::boolean(std::string& out, const Column& column) {
    const Token token = lexer_.peek();
    if (token != Token::true_word && token != Token::false_word) return mistyped(column);
    out = token == Token::true_word ? "true" : "false";
    std::string_view raw;
    return lexer_.value(raw) || lexer_mistake(column.name);
}

bool JsonScanner::decimal(std::string& out, const Column& column) {
    std::string_view raw;
    if (!number(raw, column)) return false;
    out = raw;
    return decimal_in_range(raw) ||
           mistake(base::sqlstate::kOutOfRange, out_of_range(column, raw), column.name);
}

bool JsonScanner::json_text(std::string& out, const Column& column) {
    std::string_view raw;
    if (!lexer_.value(raw)) return lexer_mistake(column.name);
    out = raw;
    return numbers_in_range(raw) ||
           mistake(base::sqlstate::kOutOfRange, numbers_out_of_range(column), column.name);
}

bool JsonScanner::uuid(std::string& out, const Column& column) {
    if (!checked(out, column, base::is_uuid)) return false;
    out = base::lower(out);
    return true;
}

// A text or a whole number.
bool JsonScanner::key(std::string& out, const Column& column) {
    return lexer_.peek() == Token::string ? string(out, column) : whole(out, column);
}

bool JsonScanner::tags(std::string& out, const Column& column) {
    if (lexer_.peek() != Token::array) return mistyped(column);
    lexer_.take('[');
    std::vector<std::string> items;
    if (!lexer_.take(']')) {
        do {
            if (!string(items.emplace_back(), column)) return false;
        } while (lexer_.take(','));
        if (!lexer_.expect(']')) return lexer_mistake(column.name);
    }
    out = array_literal(items);
    return true;
}

bool JsonScanner::checked(std::string& out, const Column& column, bool (*check)(std::string_view)) {
    if (!string(out, column)) return false;
    if (check(out)) return true;
    std::string shown;
    base::append_json_utf8(shown, out);
    return mistake(base::sqlstate::kBadText, json::mistyped(column, shown), column.name);
}

// ---- mistakes ----

bool JsonScanner::mistyped(const Column& column) {
    std::string_view raw;
    if (!lexer_.value(raw)) return lexer_mistake(column.name);
    return mistake(base::sqlstate::kBadText, json::mistyped(column, raw), column.name);
}

bool JsonScanner::mistake(std::string_view sqlstate, std::string message, std::string_view field) {
    reader_.failed_ = true;
    reader_.mistake_ = {std::string(sqlstate), std::move(message), std::string(field)};
    return false;
}

bool JsonScanner::lexer_mistake(std::string_view field) {
    if (lexer_.problem() == Lexer::Problem::nul) {
        return mistake(base::sqlstate::kNoCharacter, lexer_.message(), field);
    }
    return mistake({}, lexer_.message(), "");
}

// ---- the reader ----

// The end of the object is not a mistake, though it also answers false.
bool JsonReader::next_member() {
    const std::size_t before = seen_.size();
    JsonScanner(*this).next_member();
    return !failed() && seen_.size() > before;
}

bool JsonReader::read(Slot& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}

bool JsonReader::unknown() {
    if (failed()) return false;
    return JsonScanner(*this).mistake(base::sqlstate::kNoColumn, "There is no field " + name_ + ".",
                                      name_);
}

bool read_members(JsonReader& body, List<Column> columns, Values& values) {
    while (body.next_member()) {
        const auto found = std::ranges::find(columns, body.name(), &Column::name);
        if (found == columns.end()) return body.unknown();
        Slot& slot = values[static_cast<std::size_t>(found - columns.begin())];
        if (!body.read(slot, *found)) return false;
    }
    return !body.failed();
}

}  // namespace svc::json
