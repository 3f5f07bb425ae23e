// Pieces of C++ text on the way to a predicate.
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"
#include "plan/condition/condition.hpp"

namespace svc::plan {

// What a piece of C++ is: a plain bool, a literal that C++ knows, or a Maybe of something.
enum class CppType { truth, boolean, integer, number, text, day, time, moment, span, tags, json };

// How tightly its outermost operator binds.
enum class Binding { junction, comparison, arithmetic, primary };

struct CppCode {
    std::string text;
    CppType type = CppType::truth;
    Binding binding = Binding::primary;
    bool literal = false;  // of C++'s own types: never the left operand of an operator
};

using MaybeCode = std::optional<CppCode>;

// The parts: expr.cpp predicates, value.cpp values, call.cpp functions.
MaybeCode cpp_value(const model::Expr& expr, const CppScope& scope);
MaybeCode cpp_predicate(const model::Expr& expr, const CppScope& scope);
MaybeCode cpp_call(const model::Expr& call, const CppScope& scope);
MaybeCode cpp_path(const model::Expr& path, const CppScope& scope);
MaybeCode cpp_changed(const model::Expr& path, const CppScope& scope);
// svc::name(a, b)
MaybeCode cpp_function(const std::string& name, const std::vector<model::ExprPtr>& args,
                       CppType type, const CppScope& scope);
// svc::name<T>(a, b), where T is the one type that all arguments can be.
MaybeCode cpp_common(const std::string& name, const std::vector<model::ExprPtr>& args,
                     const CppScope& scope);

// In parentheses where it binds less tightly than that.
std::string inside(const CppCode& code, Binding least);
// A value that C++'s own operators do not take for theirs.
std::string left_operand(const CppCode& code);
// The app's days begin with UTC's.
bool lives_in_utc(const CppScope& scope);

}  // namespace svc::plan
