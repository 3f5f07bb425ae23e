// or:      and ('||' and)*
// and:     compare ('&&' compare)*
// compare: sum (('==' | '!=' | '<' | '<=' | '>' | '>=' | 'in') sum)?
// sum:     product (('+' | '-') product)*
// product: unary (('*' | '/') unary)*
// unary:   ('!' | '-')* primary
// primary: literal | list | '(' or ')' | name ('.' name)* ['(' arguments ')']
//
// a.f(b) is f(a, b).

#include <string_view>
#include <utility>

#include "model/expr/other_languages.hpp"
#include "model/expr/syntax.hpp"

namespace svc::model {
namespace {

// Functions that walk a tree may recurse, because no deeper tree passes.
constexpr int kMaxDepth = 64;
constexpr int kMaxTerms = 128;  // a + b + c is a tree as deep as it is long
constexpr std::size_t kMaxBytes = 10000;

struct Operator {
    std::string_view symbol;
    ExprKind kind;
};

constexpr Operator kComparisons[] = {
    {"==", ExprKind::eq}, {"!=", ExprKind::ne}, {"<=", ExprKind::le}, {">=", ExprKind::ge},
    {"<", ExprKind::lt},  {">", ExprKind::gt},  {"in", ExprKind::in}};
constexpr Operator kSums[] = {{"+", ExprKind::add}, {"-", ExprKind::sub}};
constexpr Operator kProducts[] = {{"*", ExprKind::mul}, {"/", ExprKind::div}};

class Parser {
  public:
    Parser(std::vector<Token> tokens, SyntaxError& error)
        : tokens_(std::move(tokens)), error_(error) {}

    std::optional<Syntax> run() {
        Syntax out = either();
        if (!failed_ && !at("")) left_over();
        if (failed_) return std::nullopt;
        return out;
    }

  private:
    // "a and b", "x is null", "interval '1 day'": words of another language.
    void left_over() {
        const bool text = peek().kind == Token::Kind::text;
        const bool typed = text && at_ > 0 && tokens_[at_ - 1].kind == Token::Kind::name;
        const std::string quote = text ? "'" : "";
        fail("unexpected " + quote + peek().text + quote,
             typed ? instead_of_function(tokens_[at_ - 1].text, "") : operator_for(peek().text));
    }

    Syntax either() { return chain("||", ExprKind::or_, &Parser::both); }
    Syntax both() { return chain("&&", ExprKind::and_, &Parser::compare); }

    Syntax chain(std::string_view symbol, ExprKind kind, Syntax (Parser::*operand)()) {
        if (++depth_ > kMaxDepth) fail("the expression is nested too deeply", "make it simpler");
        Syntax first = failed_ ? Syntax{} : (this->*operand)();
        if (!failed_ && at(symbol)) {
            Syntax node = make(kind, first.column);
            node.args.push_back(std::move(first));
            while (!failed_ && take(symbol)) node.args.push_back((this->*operand)());
            first = std::move(node);
        }
        --depth_;
        return first;
    }

    Syntax compare() {
        Syntax left = sum();
        for (const Operator& candidate : kComparisons) {
            if (failed_ || !at(candidate.symbol)) continue;
            left = binary(candidate.kind, std::move(left), &Parser::sum);
            break;
        }
        for (const Operator& candidate : kComparisons) {
            if (!failed_ && at(candidate.symbol))
                fail("comparisons cannot be chained", "join them with &&");
        }
        return left;
    }

    Syntax sum() { return repeated(kSums, &Parser::product); }
    Syntax product() { return repeated(kProducts, &Parser::unary); }

    Syntax repeated(const Operator (&operators)[2], Syntax (Parser::*operand)()) {
        Syntax left = (this->*operand)();
        int terms = 1;
        for (bool found = true; found && !failed_;) {
            found = false;
            if (++terms > kMaxTerms + 1)
                fail("this calculates with more than 128 terms in a row", "make it shorter");
            for (const Operator& candidate : operators) {
                if (found || !at(candidate.symbol)) continue;
                left = binary(candidate.kind, std::move(left), operand);
                found = true;
            }
        }
        return left;
    }

    Syntax binary(ExprKind kind, Syntax left, Syntax (Parser::*operand)()) {
        Syntax node = make(kind, peek().column);
        next();
        node.args.push_back(std::move(left));
        node.args.push_back((this->*operand)());
        return node;
    }

    Syntax unary() {
        if (!at("!") && !at("-")) return primary();
        Syntax node = make(at("!") ? ExprKind::not_ : ExprKind::negate, peek().column);
        next();
        if (++depth_ > kMaxDepth) fail("the expression is nested too deeply", "make it simpler");
        node.args.push_back(failed_ ? Syntax{} : unary());
        --depth_;
        return node;
    }

    Syntax primary() {
        switch (peek().kind) {
            case Token::Kind::name:
                return word();
            case Token::Kind::integer:
                return literal(ExprType::integer);
            case Token::Kind::decimal:
                return literal(ExprType::decimal);
            case Token::Kind::text:
                return literal(ExprType::text);
            case Token::Kind::symbol:
            case Token::Kind::foreign:
            case Token::Kind::end:
                break;
        }
        const std::size_t column = peek().column;
        if (take("(")) {
            Syntax inside = either();
            expect(")");
            return inside;
        }
        if (take("[")) {
            Syntax list = make(ExprKind::list, column);
            list.args = arguments("]");
            return list;
        }
        const bool unequal = at(">") && at_ > 0 && tokens_[at_ - 1].text == "<";
        fail(at("") ? "the expression ends too early" : "a value is missing before " + peek().text,
             unequal ? "write != for \"not equal\"" : "write a value here");
        return {};
    }

    Syntax literal(ExprType type) {
        Syntax node = make(ExprKind::literal, peek().column);
        node.type = type;
        node.text = peek().text;
        next();
        return node;
    }

    Syntax word() {
        if (at("true") || at("false")) return literal(ExprType::boolean);
        if (at("null")) return literal(ExprType::null);
        if (is_not()) {
            fail("\"not\" is not an operator", operator_for("not"));
            return {};
        }
        Syntax path = make(ExprKind::path, peek().column);
        path.names.push_back(name());
        while (!failed_ && take(".")) path.names.push_back(name());
        if (failed_ || !take("(")) return path;
        return call(std::move(path));
    }

    // Before what it would deny: nothing else is written like this.
    bool is_not() const {
        const Token& word = peek();
        const bool denies = word.text == "not" || word.text == "NOT" || word.text == "Not";
        if (!denies || at_ + 1 >= tokens_.size()) return false;
        const Token& after = tokens_[at_ + 1];
        return after.kind == Token::Kind::name
                   ? after.text != "in"
                   : after.kind == Token::Kind::symbol && after.text == "(";
    }

    Syntax call(Syntax path) {
        Syntax node = make(ExprKind::call, path.column);
        node.text = path.names.back();
        path.names.pop_back();
        if (!path.names.empty()) node.args.push_back(std::move(path));
        for (Syntax& argument : arguments(")")) node.args.push_back(std::move(argument));
        return node;
    }

    std::vector<Syntax> arguments(std::string_view close) {
        std::vector<Syntax> out;
        if (take(close)) return out;
        do {
            out.push_back(either());
        } while (!failed_ && take(","));
        expect(close);
        return out;
    }

    std::string name() {
        if (peek().kind != Token::Kind::name) {
            fail("a name is missing here", "write a name after the dot");
            return {};
        }
        std::string out = peek().text;
        next();
        return out;
    }

    static Syntax make(ExprKind kind, std::size_t column) {
        Syntax node;
        node.kind = kind;
        node.column = column;
        return node;
    }

    const Token& peek() const { return tokens_[at_]; }
    // Is the next token this symbol or word; "" is the end.
    bool at(std::string_view symbol) const {
        if (symbol.empty()) return peek().kind == Token::Kind::end;
        return (peek().kind == Token::Kind::symbol || peek().kind == Token::Kind::name) &&
               peek().text == symbol;
    }
    void next() {
        if (peek().kind != Token::Kind::end) ++at_;
    }
    bool take(std::string_view symbol) {
        if (!at(symbol)) return false;
        next();
        return true;
    }
    void expect(std::string_view symbol) {
        if (!failed_ && !take(symbol))
            fail("a " + std::string(symbol) + " is missing", "add it here");
    }
    void fail(std::string message, std::string fix = {}) {
        if (failed_) return;  // the first mistake explains the others
        failed_ = true;
        if (peek().kind == Token::Kind::foreign) {
            message = "an expression cannot contain this character";
            fix = instead_of_symbol(peek().text);
        }
        error_ = {std::move(message), peek().column, std::move(fix)};
    }

    std::vector<Token> tokens_;
    SyntaxError& error_;
    std::size_t at_ = 0;
    int depth_ = 0;
    bool failed_ = false;
};

}  // namespace

std::optional<Syntax> parse_expression(std::string_view text, SyntaxError& error) {
    if (text.size() > kMaxBytes) {
        error = {"the expression has more than 10000 bytes", 1, {}};
        return std::nullopt;
    }
    std::optional<std::vector<Token>> list = tokens(text, error);
    if (!list) return std::nullopt;
    return Parser(std::move(*list), error).run();
}

}  // namespace svc::model
