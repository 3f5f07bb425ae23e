// What is told of an author's SQL by its words alone: some too much rather than some too little.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace svc::devapi::verification {

// Entities that it may speak of.
std::vector<std::size_t> entities_in(const model::Model& model, const std::string& sql);
// The same rows in another order, or a moment later, may answer otherwise.
bool depends_on_order(const std::string& sql);

}  // namespace svc::devapi::verification
