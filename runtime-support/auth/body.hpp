// The bodies of the account routes: flat JSON objects of strings and flags.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "identity/result.hpp"

namespace svc::auth {

// The members by name. Null and absent members are left out.
using Texts = std::map<std::string, std::string, std::less<>>;

struct Members {
    Texts texts;
    std::map<std::string, bool, std::less<>> flags;

    std::optional<bool> flag(std::string_view name) const;
};

// The members of `texts` and `flags` in the body; other members are ignored. Refuses with
// PARAMS_INVALID if the body is not a JSON object or a wanted member has another type.
identity::Result<Members> read_members(std::string_view body,
                                       std::initializer_list<std::string_view> texts,
                                       std::initializer_list<std::string_view> flags);
identity::Result<Texts> read_texts(std::string_view body,
                                   std::initializer_list<std::string_view> wanted);

// The member's text; empty if it is absent.
std::string_view text(const Texts& texts, std::string_view name);

}  // namespace svc::auth
