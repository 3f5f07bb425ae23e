// Removes the secrets that a request contained from its answer, so that they are not recorded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::run {

// Each secret becomes ***, however it is written: as it is, with escapes of JSON or of addresses,
// in Base64 of either alphabet (also as a part of what was encoded), and folded over several lines.
// So does each word of it of eight bytes or more, since a header may show them one by one. A secret
// of fewer than four bytes stays, because the same text occurs by chance.
std::string masked(std::string text, const std::vector<std::string>& secrets);

}  // namespace svc::run
