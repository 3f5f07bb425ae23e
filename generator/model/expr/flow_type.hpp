// Types of values in functions and workflows, with more detail than the type of an expression.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "model/expr/expr.hpp"

namespace svc::model {

struct FlowMember;

struct FlowType {
    enum class Kind {
        scalar,  // of `type`; JSON of unknown shape too
        row,     // of `entity`
        object,  // of `members`
        list,    // of `element`, one
    } kind = Kind::scalar;
    ExprType type = ExprType::json;
    std::size_t entity = 0;
    std::vector<FlowMember> members;
    std::vector<FlowType> element;
    std::size_t weight = 1;  // types that it is made of

    const FlowType* find(const std::string& name) const;
    // JSON of unknown shape, which takes the type that its place needs.
    bool open() const { return kind == Kind::scalar && type == ExprType::json; }
    // The type that expressions see.
    ExprType expr_type() const;
};

struct FlowMember {
    std::string name;
    FlowType type;
};

FlowType scalar(ExprType type);
FlowType row_of(std::size_t entity);
FlowType object_of(std::vector<FlowMember> members);
// Results that contain other results could grow without limit: beyond this many types the type is
// just JSON.
constexpr std::size_t kMostTypes = 1000;
FlowType list_of(FlowType element);

// The names that an expression may use in functions and workflows, beside `new` and `old` of
// ExprScope.
struct FlowScope {
    FlowType input;
    bool actor = true;                // else nobody acts: the clock or a webhook started it
    std::vector<FlowMember> steps;    // that have run before, and give something
    std::vector<FlowMember> locals;   // of for/as; payload
    std::vector<std::string> silent;  // steps that have run before and give nothing
    std::vector<std::string> all;     // every step, wherever it stands
    std::vector<std::string>* used;   // gets the parameters that are named; "" for all of them
};

}  // namespace svc::model
