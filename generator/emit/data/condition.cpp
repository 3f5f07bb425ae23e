#include "emit/data/condition.hpp"

#include <cstdint>

#include "emit/text.hpp"
#include "plan/names.hpp"

namespace svc::emit {
namespace {

using plan::Condition;
using plan::ConditionKind;
using plan::ConditionRow;
using plan::ConditionType;

// How tightly the outermost operator of a piece binds.
enum class Binding : std::uint8_t { junction, comparison, arithmetic, primary };

Binding binding_of(const Condition& piece) {
    switch (piece.kind) {
        case ConditionKind::all:
        case ConditionKind::any:
            return Binding::junction;
        case ConditionKind::not_:
        case ConditionKind::compare:
            return Binding::comparison;
        case ConditionKind::minus:
        case ConditionKind::calculate:
            return Binding::arithmetic;
        case ConditionKind::truth:
        case ConditionKind::literal:
        case ConditionKind::constant:
        case ConditionKind::viewer:
        case ConditionKind::column:
        case ConditionKind::part:
        case ConditionKind::call:
        case ConditionKind::typed_call:
            return Binding::primary;
    }
    return Binding::primary;
}

// In parentheses where it binds less tightly than that.
std::string inside(const Condition& piece, Binding least) {
    const std::string text = condition_text(piece);
    return binding_of(piece) < least ? "(" + text + ")" : text;
}

// A value that C++'s own operators do not take for theirs.
std::string left_operand(const Condition& piece, Binding least) {
    if (piece.kind != ConditionKind::literal) return inside(piece, least);
    const bool text = piece.type == ConditionType::text;
    return (text ? "svc::text(" : "svc::number(") + condition_text(piece) + ")";
}

const char* name_of(ConditionType type) {
    switch (type) {
        case ConditionType::truth:
        case ConditionType::boolean:
            return "bool";
        case ConditionType::integer:
            return "std::int64_t";
        case ConditionType::number:
            return "svc::Number";
        case ConditionType::text:
        case ConditionType::json:
            return "std::string_view";
        case ConditionType::day:
            return "svc::Day";
        case ConditionType::time:
            return "svc::TimeOfDay";
        case ConditionType::moment:
            return "svc::Moment";
        case ConditionType::span:
            return "svc::Span";
        case ConditionType::tags:
            return "svc::TagList";
    }
    return "bool";
}

const char* name_of(ConditionRow row) {
    if (row == ConditionRow::after) return "after";
    return row == ConditionRow::before ? "before" : "row";
}

std::string literal_text(const Condition& piece) {
    return piece.type == ConditionType::text ? cpp_literal(piece.name) : piece.name;
}

// If the first argument is a text, C++ can choose the overload.
std::string call_text(const Condition& call) {
    std::string out = "svc::" + call.name;
    if (call.kind == ConditionKind::typed_call)
        out += "<" + std::string(name_of(call.arguments)) + ">";
    out += "(";
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        const Condition& arg = *call.args[i];
        const bool first_text = i == 0 && arg.type == ConditionType::text;
        out += (i == 0 ? "" : ", ") +
               (first_text ? left_operand(arg, Binding::junction) : condition_text(arg));
    }
    return out + ")";
}

std::string infix_text(const Condition& piece, Binding least) {
    return left_operand(*piece.args[0], least) + " " + piece.name + " " +
           inside(*piece.args[1], least);
}

std::string junction_text(const Condition& piece) {
    std::string out;
    for (const auto& arg : piece.args) {
        if (!out.empty()) out += piece.kind == ConditionKind::all ? " && " : " || ";
        out += inside(*arg, Binding::comparison);
    }
    return out;
}

}  // namespace

std::string condition_text(const Condition& piece) {
    switch (piece.kind) {
        case ConditionKind::truth:
            return piece.name;
        case ConditionKind::literal:
            return literal_text(piece);
        case ConditionKind::constant:
            return "svc::" + piece.of + "(" + cpp_literal(piece.name) + ")";
        case ConditionKind::viewer:
            return "viewer." + piece.name;
        case ConditionKind::column:
            return std::string(name_of(piece.row)) + "." + piece.of +
                   "(field::" + plan::cpp_identifier(piece.name) + ")";
        case ConditionKind::part:
            return "parts.text(part::" + plan::cpp_identifier(piece.name) + ")";
        case ConditionKind::call:
        case ConditionKind::typed_call:
            return call_text(piece);
        case ConditionKind::not_:
            return "!" + inside(*piece.args[0], Binding::primary);
        case ConditionKind::minus:
            return "-" + left_operand(*piece.args[0], Binding::primary);
        case ConditionKind::compare:
            return infix_text(piece, Binding::arithmetic);
        case ConditionKind::calculate:
            return infix_text(piece, Binding::primary);
        case ConditionKind::all:
        case ConditionKind::any:
            return junction_text(piece);
    }
    return "";
}

std::string guarded_text(const std::string& who, const plan::ConditionPtr& condition) {
    if (!condition) return who;
    if (who.empty()) return condition_text(*condition);
    const bool any = condition->kind == ConditionKind::any;
    return who + " && " + (any ? "(" : "") + condition_text(*condition) + (any ? ")" : "");
}

}  // namespace svc::emit
