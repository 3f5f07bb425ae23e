// Expressions as C++ conditions over a row at hand, its viewer and the clock, made of the functions
// of svc/predicate.hpp. They mean what the SQL of the same tree means.
//
// No C++ form: what looks at other rows, lower and upper and matches (the database's alone: its
// character classes and regular expressions), changed of JSON, min and max of JSON or tags, and
// days made moments where the app's timezone is not UTC.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "model/model.hpp"

namespace svc::plan {

// How rows are named, and which columns were.
struct CppScope {
    const model::Model& model;
    std::string row = "row";
    std::string new_row = "after";
    std::string old_row = "before";
    std::set<std::string>* columns = nullptr;  // names in the database; null: nobody asks
};

// True exactly where `expr` is true; nothing where it has no C++ form. `operand`: as one of &&.
std::optional<std::string> cpp_true(const model::Expr& expr, const CppScope& scope,
                                    bool operand = false);

}  // namespace svc::plan
