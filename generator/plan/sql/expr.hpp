// Expressions as SQL. One tree, one meaning: logic is two-valued, so a predicate is printed either
// as SQL that is true exactly where the expression is true, or as SQL that is true exactly where it
// is false. Negation is pushed to the leaves this way, and plain comparisons stay plain (an index
// serves them).
#pragma once

#include <string>

#include "model/model.hpp"

namespace svc::plan {

// How columns of the rows in reach are written. `row` prefixes a column at the top level ("" or
// "r."), `nested` inside a sub-select, where a bare name could be captured ("order_line.").
struct Scope {
    const model::Model& model;
    std::string row;
    std::string nested;
    std::string new_row = "new.";
    std::string old_row = "old.";
    mutable int aliases = 0;  // sub-selects so far: each gets an alias of its own
    // For texts that the caller sees: other rows are read only if the caller may read them.
    bool readable_only = false;
    // Used within a policy, as the caller: rows above are read under their own policies.
    bool under_policies = false;
    // The alias of the row of svc.caller that is judged; empty: the caller of the exchange.
    std::string caller{};
    // For functions and workflows: values that are not rows of a table are in $1
    // (plan/sql/context_path.hpp). Their statements run as the system, or as a caller whom policies
    // bind.
    enum class Context { none, system, caller } context = Context::none;
    // The entity of "new" and "old" in a workflow; null: no row starts it.
    const model::Entity* starts_from = nullptr;
};

// True exactly where `expr` is true; otherwise false or null.
std::string sql_true(const model::Expr& expr, const Scope& scope);
// True exactly where `expr` is false; otherwise false or null.
std::string sql_false(const model::Expr& expr, const Scope& scope);
// The value of an expression; a predicate as true or false, never null.
std::string sql_value(const model::Expr& expr, const Scope& scope);
// The value of a number, of type numeric: whole numbers do not overflow inside an expression, and a
// float counts with its 15 sure digits, on which every back end agrees.
std::string sql_numeric(const model::Expr& expr, const Scope& scope);
// Tags as an array for any(…): a bare sub-select there would mean its rows.
std::string sql_array(const model::Expr& expr, const Scope& scope);
// A message with placeholders, as one text expression; null values read as "".
std::string sql_message(const std::vector<model::MessagePart>& parts, const Scope& scope);

// True if its texts are ordered by their bytes: some come from another database, which may have
// another collation, and either database may compare them.
bool orders_by_bytes(const model::Expr& expr, const model::Model& model);
// True if the expression reads other rows than the present one.
bool walks(const model::Expr& expr);

}  // namespace svc::plan
