// A session of the builder, for what no token may do: password, and second factor where the account
// has one. It lives as long as one command.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/context.hpp"

namespace svc::cli {

struct SignIn {
    std::string email;     // empty: whose token is saved
    std::string password;  // "-" reads it; empty: asked on the terminal
    std::string code;      // of the second factor; the same
};

// The service's answer to a sign-in. Nothing: refused, which has been said.
std::optional<nlohmann::json> sign_in(CliContext& context, const SignIn& wanted);

class BuilderSession {
  public:
    // Not open if it was refused, which has been said.
    BuilderSession(CliContext& context, SignIn wanted);
    ~BuilderSession();  // signs out
    BuilderSession(const BuilderSession&) = delete;
    BuilderSession& operator=(const BuilderSession&) = delete;

    explicit operator bool() const { return !token_.empty(); }
    Reply call(const std::string& what, const Request& request) const;
    // The password, for calls that ask for it again.
    const std::string& password() const { return sign_in_.password; }

  private:
    CliContext& context_;
    SignIn sign_in_;
    std::string token_;
};

}  // namespace svc::cli
