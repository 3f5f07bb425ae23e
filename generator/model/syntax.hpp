// An expression as written: tokens, and the tree before names and types are known.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/expr.hpp"

namespace svc::model {

struct Token {
    enum class Kind { name, integer, decimal, text, symbol, end } kind = Kind::end;
    std::string text;        // texts: their characters, quotes and escapes removed
    std::size_t column = 1;  // in bytes, from 1
};

struct SyntaxError {
    std::string message;
    std::size_t column = 1;
};

struct Syntax {
    ExprKind kind = ExprKind::literal;
    ExprType type = ExprType::null;  // literals
    std::string text;                // literals and names of functions
    std::vector<std::string> names;  // paths: user, id
    std::vector<Syntax> args;
    std::size_t column = 1;
};

// Ends with a token of kind `end`; nothing where a character or a text is wrong.
std::optional<std::vector<Token>> tokens(std::string_view text, SyntaxError& error);

std::optional<Syntax> parse_expression(std::string_view text, SyntaxError& error);

}  // namespace svc::model
