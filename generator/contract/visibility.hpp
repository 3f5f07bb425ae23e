// Whether two contracts show the same rows and messages to the same people: then a stream of one
// goes on under the other without a reset.
#pragma once

#include <string>
#include <string_view>

namespace svc::contract {

// SHA-256, hex, of what a contract says beside its pages, its workflows and other parts that decide
// nothing of that. `contract`: JSON.
std::string visibility_hash(std::string_view contract);

}  // namespace svc::contract
