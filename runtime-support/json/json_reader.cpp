#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "base/utf8.hpp"
#include "json/formats.hpp"
#include "json/lexer.hpp"
#include "json/mistyped.hpp"
#include "svc/entity.hpp"
#include "svc/json.hpp"

namespace svc {

using json::Token;

// One step of a JsonReader: the lexer at its place, and the reader's mistake.
class JsonScanner {
  public:
    explicit JsonScanner(JsonReader& reader) : reader_(reader), lexer_(reader.text_, reader.at_) {}
    ~JsonScanner() { reader_.at_ = lexer_.at(); }
    JsonScanner(const JsonScanner&) = delete;
    JsonScanner& operator=(const JsonScanner&) = delete;

    bool next_member();

    template <class T>
    bool read(Sent<T>& out, const Column& column) {
        if (reader_.failed()) return false;
        if (lexer_.peek() == Token::null_word) {
            std::string_view raw;
            if (!lexer_.value(raw)) return lexer_mistake(column.name);
            out.state = Sent<T>::null;
            return true;
        }
        if (!take(out.value, column)) return false;
        out.state = Sent<T>::given;
        return true;
    }

  private:
    bool take(std::string& out, const Column& column);
    bool take(std::int64_t& out, const Column& column);
    bool take(double& out, const Column& column);
    bool take(bool& out, const Column& column);
    bool take(Decimal& out, const Column& column);
    bool take(Money& out, const Column& column) { return take(out.cents, column); }
    bool take(Date& out, const Column& column) { return checked(out.text, column, json::is_date); }
    bool take(Time& out, const Column& column) { return checked(out.text, column, json::is_time); }
    bool take(Timestamp& out, const Column& column) {
        return checked(out.text, column, json::is_timestamp);
    }
    bool take(JsonText& out, const Column& column);
    bool take(Uuid& out, const Column& column);
    bool take(KeyText& out, const Column& column);
    bool take(Tags& out, const Column& column);

    bool checked(std::string& out, const Column& column, bool (*check)(std::string_view));
    bool string(std::string& out, const Column& column);
    bool number(std::string_view& raw, const Column& column);

    bool mistyped(const Column& column);  // the value that comes next is of the wrong type
    bool mistake(std::string code, std::string message, std::string_view field);
    bool lexer_mistake(std::string_view field);

    JsonReader& reader_;
    json::Lexer lexer_;
};

// ---- members ----

bool JsonScanner::next_member() {
    if (reader_.failed()) return false;
    if (!reader_.opened_) {
        if (lexer_.peek() != Token::object) {
            return mistake("PARAMS_INVALID", "The body must be a JSON object.", "");
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
        return mistake("PARAMS_INVALID", reader_.name_ + " is given twice.", reader_.name_);
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

bool JsonScanner::take(std::string& out, const Column& column) {
    if (!string(out, column)) return false;
    if (column.max_length != 0 && out.size() > column.max_length &&
        base::characters(out) > column.max_length) {
        return mistake("22001", json::too_long(column), column.name);
    }
    return true;
}

bool JsonScanner::take(std::int64_t& out, const Column& column) {
    std::string_view raw;
    if (!number(raw, column)) return false;
    switch (json::whole_number(raw, out)) {
        case json::Whole::ok:
            return true;
        case json::Whole::not_whole:
            return mistake("22P02", json::mistyped(column, raw), column.name);
        case json::Whole::out_of_range:
            return mistake("22003", json::out_of_range(column, raw), column.name);
    }
    return false;
}

bool JsonScanner::take(double& out, const Column& column) {
    std::string_view raw;
    if (!number(raw, column)) return false;
    const auto read = std::from_chars(raw.data(), raw.data() + raw.size(), out);
    return read.ec == std::errc{} || mistake("22003", json::out_of_range(column, raw), column.name);
}

bool JsonScanner::take(bool& out, const Column& column) {
    const Token token = lexer_.peek();
    if (token != Token::true_word && token != Token::false_word) return mistyped(column);
    out = token == Token::true_word;
    std::string_view raw;
    return lexer_.value(raw) || lexer_mistake(column.name);
}

bool JsonScanner::take(Decimal& out, const Column& column) {
    std::string_view raw;
    if (!number(raw, column)) return false;
    out.text = raw;
    return json::decimal_in_range(raw) ||
           mistake("22003", json::out_of_range(column, raw), column.name);
}

bool JsonScanner::take(JsonText& out, const Column& column) {
    std::string_view raw;
    if (!lexer_.value(raw)) return lexer_mistake(column.name);
    out.text = raw;
    return json::numbers_in_range(raw) ||
           mistake("22003", json::numbers_out_of_range(column), column.name);
}

bool JsonScanner::take(Uuid& out, const Column& column) {
    if (!checked(out.text, column, json::is_uuid)) return false;
    out.text = base::lower(out.text);
    return true;
}

bool JsonScanner::take(KeyText& out, const Column& column) {
    if (lexer_.peek() == Token::string) return string(out.text, column);
    std::int64_t whole = 0;
    if (!take(whole, column)) return false;
    out.text = std::to_string(whole);
    return true;
}

bool JsonScanner::take(Tags& out, const Column& column) {
    if (lexer_.peek() != Token::array) return mistyped(column);
    lexer_.take('[');
    if (lexer_.take(']')) return true;
    do {
        if (!string(out.emplace_back(), column)) return false;
    } while (lexer_.take(','));
    return lexer_.expect(']') || lexer_mistake(column.name);
}

bool JsonScanner::checked(std::string& out, const Column& column, bool (*check)(std::string_view)) {
    if (!string(out, column)) return false;
    if (check(out)) return true;
    std::string shown;
    base::append_json_utf8(shown, out);
    return mistake("22P02", json::mistyped(column, shown), column.name);
}

// ---- mistakes ----

bool JsonScanner::mistyped(const Column& column) {
    std::string_view raw;
    if (!lexer_.value(raw)) return lexer_mistake(column.name);
    return mistake("22P02", json::mistyped(column, raw), column.name);
}

bool JsonScanner::mistake(std::string code, std::string message, std::string_view field) {
    reader_.mistake_ = {std::move(code), std::move(message), std::string(field)};
    return false;
}

bool JsonScanner::lexer_mistake(std::string_view field) {
    if (lexer_.problem() == json::Lexer::Problem::nul) {
        return mistake("22P05", lexer_.message(), field);
    }
    return mistake("PARAMS_INVALID", lexer_.message(), "");
}

// ---- the interface of generated code ----

// The end of the object is no mistake, though it also answers false.
bool JsonReader::next_member() {
    const std::size_t before = seen_.size();
    JsonScanner(*this).next_member();
    return !failed() && seen_.size() > before;
}

bool JsonReader::read(Sent<std::string>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<std::int64_t>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<double>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<bool>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<Decimal>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<Money>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<Date>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<Time>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<Timestamp>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<JsonText>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<Uuid>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<KeyText>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}
bool JsonReader::read(Sent<Tags>& out, const Column& column) {
    return JsonScanner(*this).read(out, column);
}

bool JsonReader::unknown() {
    if (!failed()) mistake_ = {"42703", "There is no field " + name_ + ".", name_};
    return false;
}

template <class T>
bool Member::take(void* sent, JsonReader& body, const Column& column, Values& values,
                  unsigned index) {
    Sent<T>& member = *static_cast<Sent<T>*>(sent);
    if (!body.read(member, column)) return false;
    values.set(index, std::move(member));
    return true;
}

template bool Member::take<std::string>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<std::int64_t>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<double>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<bool>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<Decimal>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<Money>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<Date>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<Time>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<Timestamp>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<JsonText>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<Uuid>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<KeyText>(void*, JsonReader&, const Column&, Values&, unsigned);
template bool Member::take<Tags>(void*, JsonReader&, const Column&, Values&, unsigned);

bool read_row(JsonReader& body, List<Column> columns, List<Member> members, Values& values) {
    while (body.next_member()) {
        const auto found = std::ranges::find(columns, body.name(), &Column::name);
        if (found == columns.end()) return body.unknown();
        const auto index = static_cast<unsigned>(found - columns.begin());
        if (!members[index].read(body, *found, values, index)) return false;
    }
    return !body.failed();
}

}  // namespace svc
