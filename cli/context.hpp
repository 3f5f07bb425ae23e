// The services of every command: the address, the credentials, the project, and the output of
// answers and refusals.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/config.hpp"
#include "cli/http.hpp"

namespace svc::cli {

struct Flags {
    bool json = false;    // the server's own bytes to standard output, and nothing else there
    std::string project;  // --project
    std::string api;      // --api
};

class CliContext {
  public:
    explicit CliContext(Flags& flags) : flags_(flags) {}

    bool wants_json() const { return flags_.json; }
    // --api, SVC_API, the saved sign-in's, the usual one. Throws std::runtime_error if it is not a
    // URL.
    std::string api() const;
    // SVC_TOKEN, else the saved one if it was given by this very API. May be empty.
    std::string token() const;
    // --project, SVC_PROJECT or the folder's link. If there is none, prints so and gives "".
    std::string project() const;
    // The named project, for commands that need none.
    std::string named_project() const;

    // `what` is shown while it takes long: "Signing in".
    Reply call(const std::string& what, const Request& request) const;
    Reply call_as(const std::string& token, const std::string& what, const Request& request) const;

    // The answer as an object. Nothing if it is a refusal, which has then been shown. With
    // --json the bytes have been written either way.
    std::optional<nlohmann::json> accept(const Reply& reply) const;
    // `hint`: says how to sign in if that is what is missing.
    void show_refusal(const Reply& reply, bool hint = true) const;

    // A refusal of the client's own, in the service's form: text, or {error, code} with --json.
    void refuse(const std::string& sentence, const std::string& code) const;

  private:
    Flags& flags_;
};

// Text that the service sent, safe for a terminal; "" where `key` is absent or no string.
std::string text_of(const nlohmann::json& object, const char* key);

// The path "/projects/<id><rest>", with the id escaped as one segment.
std::string project_path(const std::string& project, const std::string& rest = "");

void print(const std::string& text);
// "svc: …" on standard error.
void complain(const std::string& text);

}  // namespace svc::cli
