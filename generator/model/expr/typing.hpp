// Resolves and types written expressions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "diag/finding.hpp"
#include "model/model.hpp"

namespace svc::model {

struct FlowScope;

// The names that an expression may use in its place.
struct ExprScope {
    const Model& model;
    std::size_t entity;     // whose row it is about
    bool row = true;        // bare names are the row (access, lifecycle, computed)
    bool has_new = false;   // rules on create and update
    bool has_old = false;   // rules on update and delete
    bool computed = false;  // only the row's own fields: no caller, no clock, no other rows
    const FlowScope* flow = nullptr;  // functions and workflows: their names, and no bare ones
    const std::vector<std::string>* parts = nullptr;  // of a topic's name, which is all there is
};

// Null after a finding. Findings have the text's place and name the column inside it.
ExprPtr read_expression(const contract::Text& text, const ExprScope& scope,
                        diag::Findings& findings);
// Reads a boolean expression.
ExprPtr read_condition(const contract::Text& text, const ExprScope& scope,
                       diag::Findings& findings);
// Reads an expression whose value `field` can hold.
ExprPtr read_value(const contract::Text& text, const ExprScope& scope, const Field& field,
                   diag::Findings& findings, std::size_t offset = 0);
// Reads an expression that may be rows or a list, for steps that repeat over it.
ExprPtr read_any(const contract::Text& text, const ExprScope& scope, diag::Findings& findings);
// Reads the expression of a text that is one placeholder; it has the type `type` if that is given.
ExprPtr read_placeholder(const contract::Text& text, const ExprScope& scope,
                         std::optional<ExprType> type, diag::Findings& findings);
// A text with {expression} placeholders.
std::vector<MessagePart> read_message(const contract::Text& text, const ExprScope& scope,
                                      diag::Findings& findings);

// " of the expression: ", or of the text or message around it.
std::string in_what(const ExprScope& scope, std::size_t offset);

ExprType expr_type(FieldType type);
// All values that the expression can have, if it is an enum or a persona. Otherwise none.
std::vector<std::string> known_values(const Expr& expr, const Model& model);
// "an integer", for messages.
std::string in_words(ExprType type);
// The row's user_id or org_id equals the caller's: the condition for the owner's rows.
ExprPtr owned_by_caller(std::size_t entity, const Owner& owner);

}  // namespace svc::model
