// An expression as written: tokens, and the tree before names and types are known.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/expr/expr.hpp"

namespace svc::model {

// An expression with its place: findings about it name the position inside the string.
struct Written {
    std::string text;
    std::string path;        // of the string in the contract
    std::size_t offset = 0;  // bytes of that string before the expression
    std::size_t before = 0;  // characters of it

    // `byte`: as columns of tokens, from 1.
    std::size_t column(std::size_t byte) const;
    std::string place(std::size_t byte) const;
};

struct Token {
    // foreign: a character that no expression has
    enum class Kind { name, integer, decimal, text, symbol, foreign, end } kind = Kind::end;
    std::string text;        // texts: their characters, quotes and escapes removed
    std::size_t column = 1;  // in bytes, from 1
};

struct SyntaxError {
    std::string message;
    std::size_t column = 1;  // in bytes, from 1
    std::string fix = {};
};

struct Syntax {
    ExprKind kind = ExprKind::literal;
    ExprType type = ExprType::null;  // literals
    std::string text;                // literals and names of functions
    std::vector<std::string> names;  // paths: user, id
    std::vector<Syntax> args;
    std::size_t column = 1;
};

// Ends with a token of kind `end`; nothing if a text is wrong.
std::optional<std::vector<Token>> tokens(std::string_view text, SyntaxError& error);

std::optional<Syntax> parse_expression(std::string_view text, SyntaxError& error);

}  // namespace svc::model
