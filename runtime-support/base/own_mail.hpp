// The account mails whose text a contract may replace. The names are the keys of auth.mails; the
// app's server uses the same names.
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
