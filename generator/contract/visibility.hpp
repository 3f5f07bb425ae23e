// Tells whether two contracts show the same rows and messages to the same people. If so, a stream
// continues from one to the other without a reset.
#pragma once

#include <string>
#include <string_view>

namespace svc::contract {

// SHA-256, hex, of a contract without its pages, its workflows and other parts that do not affect
// this. `contract`: JSON.
std::string visibility_hash(std::string_view contract);

}  // namespace svc::contract
