// Properties of an author's SQL, from its words alone. They may be true too often, but never too
// rarely.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace svc::devapi::verification {

// The entities that it may name.
std::vector<std::size_t> entities_in(const model::Model& model, const std::string& sql);
// True if the result may differ for the same rows in another order, or at another time.
bool depends_on_order(const std::string& sql);

}  // namespace svc::devapi::verification
