#include "json/value.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/json_text.hpp"
#include "json/lexer.hpp"
#include "json/own.hpp"

namespace svc::json {

namespace {

// What is accepted.
struct Rules {
    unsigned levels;  // that may follow
    bool same_names;  // an object may have a member twice
    Rules within() const { return {levels - 1, same_names}; }
};

bool read(Lexer& lexer, Value& out, Rules rules);

bool read_items(Lexer& lexer, Value& out, Rules rules) {
    lexer.take('[');
    if (lexer.take(']')) return true;
    std::size_t members = 0;  // of the item before: rows are all of one shape
    do {
        Value& item = out.items.emplace_back();
        item.members.reserve(members);
        if (!read(lexer, item, rules)) return false;
        members = item.members.size();
    } while (lexer.take(','));
    return lexer.expect(']');
}

// Names of an object that is being read. Few are compared one by one; of many, each with all
// others would take minutes.
class Names {
  public:
    explicit Names(const Value& object) : object_(object) {}
    // False: the object has this name already.
    bool add(const std::string& name) {
        constexpr std::size_t kFew = 32;
        if (object_.members.size() < kFew) return object_.find(name) == nullptr;
        if (many_.empty())
            for (const Value::Member& member : object_.members) many_.insert(member.name);
        return many_.insert(name).second;
    }

  private:
    const Value& object_;
    std::unordered_set<std::string> many_;
};

bool read_members(Lexer& lexer, Value& out, Rules rules) {
    lexer.take('{');
    if (lexer.take('}')) return true;
    Names names(out);
    do {
        std::string name;
        if (!lexer.string(name) || !lexer.expect(':')) return false;
        if (!rules.same_names && !names.add(name))
            return lexer.fail("the object has the same member twice.");
        out.members.push_back({std::move(name), Value{}});
        if (!read(lexer, out.members.back().value, rules)) return false;
    } while (lexer.take(','));
    return lexer.expect('}');
}

bool read(Lexer& lexer, Value& out, Rules rules) {
    std::string_view raw;
    const Token next = lexer.peek();
    if (rules.levels == 0 && (next == Token::array || next == Token::object))
        return lexer.fail("the value is nested more than 64 levels deep.");
    switch (next) {
        case Token::string:
            out.kind = Value::Kind::string;
            return lexer.string(out.text);
        case Token::array:
            out.kind = Value::Kind::array;
            return read_items(lexer, out, rules.within());
        case Token::object:
            out.kind = Value::Kind::object;
            return read_members(lexer, out, rules.within());
        case Token::number:
            out.kind = Value::Kind::number;
            break;
        case Token::true_word:
        case Token::false_word:
            out.kind = Value::Kind::boolean;
            break;
        case Token::null_word:
        case Token::end:
        case Token::other:
            break;
    }
    if (!lexer.value(raw)) return false;
    out.text = raw;
    return true;
}

void show(const Value& value, std::string& out) {
    switch (value.kind) {
        case Value::Kind::null:
            out += "null";
            return;
        case Value::Kind::boolean:
        case Value::Kind::number:
            out += value.text;
            return;
        case Value::Kind::string:
            return base::append_json_utf8(out, value.text);
        case Value::Kind::array:
            out += '[';
            for (const Value& item : value.items) {
                if (&item != &value.items.front()) out += ',';
                show(item, out);
            }
            out += ']';
            return;
        case Value::Kind::object:
            out += '{';
            for (const auto& [name, member] : value.members) {
                if (&member != &value.members.front().value) out += ',';
                base::append_json_utf8(out, name);
                out += ':';
                show(member, out);
            }
            out += '}';
            return;
    }
}

}  // namespace

const Value* Value::find(std::string_view name) const {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [name](const Member& member) { return member.name == name; });
    return found != members.end() ? &found->value : nullptr;
}

std::string Value::text_of(std::string_view name) const {
    const Value* member = find(name);
    return member && member->is(Kind::string) ? member->text : std::string();
}

std::string Value::shown() const {
    std::string out;
    show(*this, out);
    return out;
}

namespace {

Parsed parse_by(std::string_view text, Rules rules) {
    Parsed parsed;
    Lexer lexer(text);
    if (!read(lexer, parsed.value, rules) || !lexer.expect_end()) {
        parsed.error = lexer.message();
        parsed.nul = lexer.problem() == Lexer::Problem::nul;
    }
    return parsed;
}

}  // namespace

Parsed parse(std::string_view text) { return parse_by(text, {kMaxDepth, false}); }

Parsed parse_own(std::string_view text) { return parse_by(text, {kOwnDepth, true}); }

}  // namespace svc::json
