// Conditions that the server decides itself, without the database: trees of what svc/predicate.hpp
// offers over a row at hand, its viewer and the clock. emit/data/condition.hpp prints them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace svc::plan {

// The type of a part of a condition: a plain bool, or a svc::Maybe.
enum class ConditionType : std::uint8_t {
    truth,
    boolean,
    integer,
    number,
    text,
    day,
    time,
    moment,
    span,
    tags,
    json
};

enum class ConditionKind : std::uint8_t {
    truth,       // true or false, as `name` says
    literal,     // of C++'s own types, as `name` says: an integer, or a text
    constant,    // made of the text `name` by the function `of`: number, day, time_of_day, moment
    viewer,      // what the viewer's `name` is; the clock is among it
    column,      // the column `name` of `row`, read by the method `of` of svc::Record
    part,        // the part `name` of a topic's name
    call,        // the function `name` of svc/predicate.hpp
    typed_call,  // the same, with `arguments` as its template argument
    not_,
    minus,
    compare,  // `name` is the operator; so below
    calculate,
    all,  // &&
    any   // ||
};

// Which row a column is of.
enum class ConditionRow : std::uint8_t { row, before, after };

struct Condition;
using ConditionPtr = std::shared_ptr<const Condition>;

struct Condition {
    ConditionKind kind = ConditionKind::truth;
    ConditionType type = ConditionType::truth;
    std::string name = {};
    std::vector<ConditionPtr> args = {};
    std::string of = {};
    ConditionRow row = ConditionRow::row;
    ConditionType arguments = ConditionType::truth;  // the one type that all arguments can be
};

// Null equals null alone.
bool equal(const ConditionPtr& one, const ConditionPtr& other);
// Whether `test` holds for a piece of the tree; null has none.
bool any_piece(const ConditionPtr& tree, const std::function<bool(const Condition&)>& test);

}  // namespace svc::plan
