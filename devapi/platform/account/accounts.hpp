// Builders and their workspaces.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "platform/store.hpp"

namespace svc::devapi {

// Each role may do what the roles before it may.
enum class Role : std::uint8_t { viewer, developer, admin, owner };

}  // namespace svc::devapi

template <>
struct svc::base::Words<svc::devapi::Role> {
    static constexpr std::array<std::string_view, 4> kAll = {"viewer", "developer", "admin",
                                                             "owner"};
};

namespace svc::devapi {

Role parse_role(std::string_view text);  // of our own table: an unknown one is a bug
inline std::string_view name(Role role) { return base::word(role); }

struct Account {
    std::string id, email;
    std::string password_hash;  // empty: not set up yet
    bool proven = false;        // the address was shown to be its owner's, by mail
};

struct Membership {
    std::string workspace_id, workspace_name;
    Role role = Role::viewer;
    bool demands_factor = false;
};

// The form in which addresses are compared: lower case, no blanks around it.
std::string normal_email(std::string_view email);
// True for an ASCII address in that form. Other addresses are refused: PostgreSQL may lower-case
// them differently, and no mail goes there.
bool plausible_email(std::string_view email);
inline constexpr const char* kNoEmail =
    "Must be an e-mail address of ASCII characters, such as ann@example.com, without blanks, "
    "quotes, commas or brackets.";

bool any_account(Store& store);
std::optional<Account> find_account(Store& store, const std::string& email);
// Also creates a workspace that the account owns.
Account create_owner(Store& store, const std::string& email, const std::string& password_hash);
std::vector<Membership> memberships(Store& store, const std::string& user_id);
std::optional<Role> role_in(Store& store, const std::string& user_id,
                            const std::string& workspace_id);

// Makes the one-time link of the first account, valid for 7 days, and returns its value. An earlier
// unused link becomes invalid.
std::string new_setup_link(Store& store);

struct Setup {
    enum class Result { done, unknown_link, email_needed } result = Result::unknown_link;
    Account account;
};
// Makes the first account with the address `email`. The link is used up.
Setup use_setup_link(Store& store, const std::string& value, const std::string& email,
                     const std::string& password_hash);

}  // namespace svc::devapi
