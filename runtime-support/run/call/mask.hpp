// Secrets that were sent along are not recorded, wherever an answer shows them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::run {

// Each secret becomes ***, however it is written: as it is, with escapes of JSON or of addresses,
// in Base64 of either alphabet (also as a part of what was encoded), and folded over several lines.
// So does each word of it of eight bytes or more, since a header may show them one by one. A secret
// of less than four bytes stays: it would be found in what is no secret.
std::string masked(std::string text, const std::vector<std::string>& secrets);

}  // namespace svc::run
