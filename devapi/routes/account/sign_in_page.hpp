// The pages of /cli-login, where a person lets a client in: they sign in, show their second factor,
// then allow the client or refuse it.
#pragma once

#include <string>
#include <string_view>

#include "calls/context.hpp"
#include "http/dev_request.hpp"
#include "platform/account/accounts.hpp"
#include "platform/account/cli_login.hpp"

namespace svc::devapi {

constexpr const char* kSignInPath = "/cli-login";
constexpr const char* kSignInTitle = "svc: sign in a client";

struct SignInForm {
    std::string code, email;
};

// `code` is the client's, `pending` the sign-in's that waits for its second factor.
struct FactorForm {
    std::string code, pending;
    bool totp = false;
    std::string passkey_options;
};

// An empty complaint: nothing was wrong yet.
void show_sign_in(const SignInForm& form, int status, std::string_view complaint,
                  Response& response);
void show_factor(const FactorForm& form, int status, std::string_view complaint,
                 Response& response);
// The client and the workspaces that it may be let into, with a ticket of one use for the decision.
void show_decision(Context& context, const PendingLogin& asked, const Account& account,
                   bool second_factor, Response& response);

}  // namespace svc::devapi
