// The options of an input of a form.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "page/form/form.hpp"

namespace svc::page {

using Options = std::vector<std::pair<std::string, std::string>>;  // id and name

struct Choosable {
    Options options = {};
    // There are too many rows for a choice among all: words find some of them.
    std::optional<Finder> finder = {};
};

// The options of a field of kind ref or user. `now`: the chosen id, which is always among them.
// `words`: those that the form looks for; null: it has no box for words yet.
Task<Choosable> read_options(Visit& visit, const Field& field, std::string now,
                             const std::string* words);

}  // namespace svc::page
