// Expressions of a contract as its author would write them, and as formulas of one caller.
#pragma once

#include <optional>
#include <string>

#include "check/formula/formula.hpp"
#include "model/model.hpp"

namespace svc::check {

// The known attributes of a caller, before any row is read. Unknown attributes may have any value.
struct KnownUser {
    bool account = true;                 // false: user.id, user.persona and user.email are null
    bool in_org = true;                  // false: user.org is null
    std::optional<std::string> persona;  // of accounts
};

// A text literal.
std::string quoted(const std::string& text);
// subject == 'text'
Formula equals(const std::string& subject, const std::string& text);
// Prints one canonical form, independent of the author's spaces and parentheses. `prefix` stands
// before fields of the row: "order." if it is the row that another one follows.
std::string expression_text(const model::Model& model, const model::Expr& expr,
                            const std::string& prefix = {});

// The rows for which `expr` is true; null: all rows. Without `user` nothing about the caller is
// known.
Formula condition(const model::Model& model, const model::ExprPtr& expr, const KnownUser* user,
                  const std::string& prefix = {});

}  // namespace svc::check
