// Expressions, resolved and typed. One tree is compiled to SQL predicates, row-level-security
// policies and triggers, so the meaning of each node is defined here.
//
// Logic is two-valued: a comparison with null is false except against the literal null; `!` and
// `!=` are exact opposites of their operand and of `==`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"

namespace svc::model {

enum class ExprType {
    boolean,
    integer,
    decimal,
    text,
    date,
    time,
    timestamp,
    uuid,
    duration,
    tags,
    json,
    list,
    rows,
    null
};

enum class ExprKind {
    literal,  // text: its value as written, quotes removed; type says the kind
    list,     // args
    path,     // root, steps
    not_,     // args[0]
    negate,   // args[0]
    and_,
    or_,  // args (two or more)
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    in,  // args[0] in args[1] (a list, tags, or a relation's column)
    add,
    sub,
    mul,
    div,
    call,  // function, args
};

enum class Root {
    row,   // the row at hand (access, lifecycle, computed)
    new_,  // rules: the row as it will be
    old_,  // rules: the row as it was
    user,  // the caller: attribute; no steps
    part,  // of a topic's name, a text or an id: text is the name in its braces; no steps
    // Only in functions and workflows:
    input,  // the parameters, or the payload of a webhook or topic
    step,   // what a step gave: text is its id
    local,  // the element of a for, or waitFor's payload: text is its name
};

enum class CallerAttribute : std::uint8_t { id, persona, org, is_admin, email };

// A step of a path: a field of the entity reached so far, over a ref to another, over a relation to
// its many rows, or (in functions and workflows alone) a member of an object or of JSON.
struct Step {
    enum class Kind { field, ref, many, member } kind;
    std::size_t entity;  // index in Model::entities of the entity that has the field
    // Index in its fields for field and ref (the ref field itself); for many: the field of `target`
    // that points back.
    std::size_t field;
    std::size_t target;  // entity reached by ref and many
    // Set instead of `field` for columns that the compiler makes: id, created_at, updated_at,
    // user_id, org_id. Of member: its name.
    std::string builtin;
};

// In the order in which messages list them.
enum class ExprFunction : std::uint8_t {
    now,
    today,
    date,
    duration,
    exists,
    count,
    sum,
    all,
    min,
    max,
    changed,
    lower,
    upper,
    trim,
    size,
    starts_with,
    ends_with,
    contains,
    matches,
    coalesce,
    abs,
    round,
    member,
    can,
    moment  // no author writes it: the midnight of a date, in the app's timezone, as a moment
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
    ExprKind kind = ExprKind::literal;
    ExprType type = ExprType::null;
    std::string text;
    ExprFunction function = ExprFunction::now;        // of calls alone
    CallerAttribute attribute = CallerAttribute::id;  // of Root::user alone
    Root root = Root::row;
    std::vector<Step> steps;
    std::vector<ExprPtr> args;
    // JSON of unknown shape. If its place needs a type, the path has that type; its value is null
    // if the JSON has another type.
    bool open = false;
    bool taken = false;  // it was open, and has its type from its place
};

// A text with placeholders: literal pieces and expressions in turn.
struct MessagePart {
    std::string text;  // where expr is null
    ExprPtr expr;
};

}  // namespace svc::model

template <>
struct svc::base::Words<svc::model::CallerAttribute> {
    static constexpr std::array<std::string_view, 5> kAll = {"id", "persona", "org", "isAdmin",
                                                             "email"};
};

template <>
struct svc::base::Words<svc::model::ExprFunction> {
    static constexpr std::array<std::string_view, 25> kAll = {
        "now",   "today",      "date",     "duration", "exists",  "count",    "sum",
        "all",   "min",        "max",      "changed",  "lower",   "upper",    "trim",
        "size",  "startsWith", "endsWith", "contains", "matches", "coalesce", "abs",
        "round", "member",     "can",      "moment"};
};
