// The bodies of the sign-in routes: flat JSON objects of texts.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "identity/result.hpp"

namespace svc::auth {

// Members by name; null and absent ones are not in it.
using Texts = std::map<std::string, std::string, std::less<>>;

// The members of `wanted` in the body; others are passed over. PARAMS_INVALID where the body is no
// JSON object or a wanted member is no text.
identity::Result<Texts> read_texts(std::string_view body,
                                   std::initializer_list<std::string_view> wanted);

// The member, or empty.
std::string_view text(const Texts& texts, std::string_view name);

}  // namespace svc::auth
