// What conditions of access rest on beside their own text: formulas, refs and relations that they
// name, which may change under them.
#pragma once

#include <map>
#include <string>

#include "check/rows.hpp"
#include "model/model.hpp"

namespace svc::check {

using Meaning = std::map<std::string, std::string>;

// Of one expression; null: nothing.
void add_meaning(const model::Model& model, const model::ExprPtr& expr, Meaning& out);
// Of everything that decides which rows `known` reaches by the operation.
Meaning meaning(const model::Model& model, const model::Entity& entity, plan::Operation operation,
                const Known& known);

}  // namespace svc::check
