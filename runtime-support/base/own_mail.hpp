// The mails of accounts that a contract may have a text of its own for: the keys of auth.mails,
// which the app's server names them by as well.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.hpp"

namespace svc::base {

enum class OwnMail : std::uint8_t { verify, reset, magic, invite, org_invite, taken };

template <>
struct Words<OwnMail> {
    static constexpr std::array<std::string_view, 6> kAll = {"verify", "reset",     "magic",
                                                             "invite", "orgInvite", "taken"};
};

}  // namespace svc::base
