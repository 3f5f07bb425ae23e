// The parts that conditions of access depend on beside their own text: formulas, refs and
// relations, which may change while the text stays.
#pragma once

#include <map>
#include <string>

#include "check/rows.hpp"
#include "model/model.hpp"

namespace svc::check {

using Meaning = std::map<std::string, std::string>;

// Adds the meaning of one expression. Does nothing if it is null.
void add_meaning(const model::Model& model, const model::ExprPtr& expr, Meaning& out);
// The meaning of everything that decides which rows `known` reaches by the operation.
Meaning meaning(const model::Model& model, const model::Entity& entity, plan::Operation operation,
                const KnownCaller& known);

}  // namespace svc::check
