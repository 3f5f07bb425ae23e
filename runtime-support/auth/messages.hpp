// Messages of refusals that several rooms of this folder send, so that each has one text.
#pragma once

namespace svc::auth {

inline constexpr const char* kNoPasswordSignIn = "This app does not offer sign-in with passwords.";
inline constexpr const char* kAccountDisabled = "This account is disabled.";
inline constexpr const char* kConfirmFirst = "Confirm your e-mail address first.";
inline constexpr const char* kInvitationNeeded = "New accounts of this app need an invitation.";
inline constexpr const char* kSignupDisabled = "This app does not accept new accounts.";
inline constexpr const char* kInvalidEmail = "This is not a valid e-mail address.";
inline constexpr const char* kEmailTaken = "An account with this e-mail address already exists.";
inline constexpr const char* kNameTooLong = "A name may have at most 200 characters.";
inline constexpr const char* kNoSuchAccount = "The app has no such account.";
inline constexpr const char* kNoLinkToken = "The link's token is missing.";
inline constexpr const char* kFactorNeeded = "Your role needs a second factor.";
inline constexpr const char* kNoSuchOrgRole = "Organisations of this app have no such role.";
inline constexpr const char* kNoOrigin =
    "This server does not know the app's origin. Ask its operator to set SVC_ORIGIN.";

}  // namespace svc::auth
