// A whole generated app, and the one function its main() calls.
#pragma once

#include <cstdint>
#include <string_view>

#include "svc/entity.hpp"
#include "svc/flow.hpp"
#include "svc/list.hpp"
#include "svc/page.hpp"
#include "svc/query.hpp"
#include "svc/topic.hpp"

namespace svc {

enum class Kind : std::uint8_t { consumer, staff };

struct Persona {
    std::string_view id;
    std::string_view label;
    Kind kind = Kind::consumer;
    bool signup = false;        // offered to people who sign themselves up
    PrincipalSet principals;    // everything an account of this persona is, inherited ones included
    std::string_view names;     // the same in words, comma separated, as policies read them
    bool mfa_required = false;  // may do nothing before a second factor was enrolled
};

enum class SignupPolicy : std::uint8_t { open, invite_only, disabled };

// A text with {app} and {link}, and for an invitation to an organisation {org} and {actor}.
struct MailTemplate {
    std::string_view kind;           // verify, reset, magic, invite, orgInvite, taken
    std::string_view subject, text;  // empty: the standard text
};

// An OpenID Connect provider of the contract.
struct SignInProvider {
    std::string_view id, label;
    std::string_view issuer, preset;  // one of them
    std::string_view client_id;
    std::string_view secret;  // name of the project's secret that holds the client's
    List<std::string_view> scopes;
};

struct Auth {
    SignupPolicy signup = SignupPolicy::open;
    bool verify_email = false;
    std::uint32_t min_password = 8;           // characters
    std::uint32_t session_idle = 14 * 86400;  // seconds without a request
    std::uint32_t session_max = 90 * 86400;   // seconds since sign-in
    bool password = true;                     // passwords sign in
    bool magic = true;                        // mailed links do
    bool refuse_common = false;               // passwords that everybody tries first
    List<SignInProvider> providers{};
    List<MailTemplate> mails{};  // texts of the app's own
    bool passkey = true;         // passkeys do
};

// The contract's settings of models. Tokens a day; below 0: no budget.
struct Ai {
    bool enabled = false;
    std::string_view model, embed_model, system;  // empty: none
    std::uint32_t max_input_chars = 100'000, max_output_tokens = 4096;
    std::int64_t per_user_daily = -1, per_project_daily = -1;
    List<std::string_view> models{};  // that may be asked
};

// The rules for uploads. Sizes in bytes.
struct FileRules {
    std::uint64_t max_size = 25ULL << 20;
    List<std::string_view> mime{};    // image/png, image/*; empty: all of base/known_mime.hpp
    std::uint64_t user_quota = 0;     // of one account, all its files together; 0: none
    std::uint64_t project_quota = 0;  // of all files together; 0: none
};

// The server's routes. Handlers are the runtime's; a route binds one to an entity.
enum class Method : std::uint8_t { get, post, patch, remove };
enum class Action : std::uint8_t {
    list,
    aggregate,
    get,
    create,
    update,
    remove,
    transition,
    restore,
    history
};
struct Route {
    Method method;
    std::string_view path;  // below /__svc; <id> stands for one segment
    Action action;
    const Entity* entity;
};

struct App {
    std::string_view name;
    std::string_view timezone;    // IANA
    std::string_view contract;    // hash of the contract it was made from
    std::string_view visibility;  // hash of what decides there who sees which rows and messages
    Auth auth;
    List<Persona> personas;  // bit kFirstPersona + index
    List<std::string_view> org_roles;
    List<const Entity*> entities;
    List<const Query*> queries;
    List<Route> routes;
    List<Topic> topics{};  // those that the contract declares; no two mean the same name
    List<Function> functions{};
    Ai ai{};
    FileRules files{};
    std::string_view connectors{};  // as connector/connectors.hpp reads them: JSON; empty: none
    std::string_view openapi;       // the document of the data API: JSON, the same for every caller
    const page::Site* site = nullptr;  // its pages; null: it shows none

    // Null if the app has none with this name.
    const Entity* entity(std::string_view of) const {
        for (const Entity* entity : entities)
            if (entity->name == of) return entity;
        return nullptr;
    }
};

// Serves until it gets a signal to stop. Returns the exit code of the process. Settings:
// docs/operations.md.
int serve(const App& app, int argc, char** argv);

}  // namespace svc
