// The contract with every reference resolved, every default filled in and every expression typed.
// Plain data: the plan reads it, nothing writes it after resolve().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/own_mail.hpp"
#include "base/words.hpp"
#include "model/access/principal.hpp"
#include "model/entity/entity.hpp"
#include "model/flow/flow.hpp"
#include "model/page/pages.hpp"
#include "model/service/services.hpp"

namespace svc::model {

enum class PersonaKind { consumer, staff };

struct Persona {
    std::string id;
    std::string label;  // id in words where the contract gives none
    PersonaKind kind = PersonaKind::consumer;
    bool signup = false;  // after the rule "when none says so, the first consumer persona"
    bool mfa_required = false;
    std::vector<std::string> acts_as;  // itself first, then all it extends, each once
};

// A mail's text, for the one that the runtime would send.
struct MailText {
    base::OwnMail kind = base::OwnMail::verify;
    std::string subject, text;
};

struct Auth {
    enum class Signup : std::uint8_t { open, invite_only, disabled } signup = Signup::open;
    bool verify_email = false;
    std::uint32_t min_password = 8;
    std::uint32_t session_idle = 14 * 86400;  // seconds
    std::uint32_t session_max = 90 * 86400;
    bool password = true, magic = true;
    bool refuse_common = false;  // passwords that everybody tries first
    std::vector<MailText> mails;
    std::vector<Provider> providers;  // those that `methods` lists; all of them if it is absent
    bool passkey = true;
};

// A seed row: column values as PostgreSQL input text (null: SQL null), references to other seeds by
// key.
struct SeedValue {
    std::size_t field;  // index in Entity::fields
    bool null = false;
    std::string text;
    std::string ref_key;  // "tea" of "@tea"; then text is empty
    std::size_t ref_entity = 0;
    bool ref_user = false;
    bool clock = false;  // text is "now()" or "today()": when the row is seeded
};
struct SeedRow {
    std::string key;        // _key, or made from its place: "#0"
    std::string owner_key;  // _as
    std::vector<SeedValue> values;
    std::string path;
};
struct SeedUser {
    std::string key, email, name, persona;
    bool is_admin = false;
};
struct Seeds {
    bool unchanged = false;  // the literal UNCHANGED
    std::vector<SeedUser> users;
    std::vector<std::pair<std::size_t, std::vector<SeedRow>>>
        rows;  // entity index, in contract order
};

// A named query. Its SQL is still text: what it means is known once the tables are planned.
struct Query {
    std::string name;  // reports/top_products
    std::string description;
    bool writes = false;
    bool end_user = false, workflow = false;  // of "allow", which are not principals
    std::vector<Principal> allow;
    std::vector<Field> params;  // name, type, required and default are set
    std::string sql;
    std::string path;
};

enum class Font : std::uint8_t { system, serif, mono };

struct App {
    std::string name, description;
    std::string timezone = "UTC";
    std::string currency = "usd";
    std::string locale = "en";
    // The theme.
    std::string accent;                   // empty: the standard one
    std::optional<std::uint32_t> radius;  // pixels
    Font font = Font::system;
};

struct Model {
    App app;
    std::vector<Persona> personas;
    Auth auth;
    std::vector<std::string> org_roles;  // empty: organisations are off
    std::vector<Entity> entities;
    std::vector<Query> queries;
    std::optional<Payments> payments;
    Files files;
    Ai ai;
    Connectors connectors;
    Flows flows;
    std::vector<Page> pages;
    std::vector<Component> components;
    Seeds seeds;
};

}  // namespace svc::model

template <>
struct svc::base::Words<svc::model::Font> {
    static constexpr std::array<std::string_view, 3> kAll = {"system", "serif", "mono"};
};

template <>
struct svc::base::Words<svc::model::Auth::Signup> {
    static constexpr std::array<std::string_view, 3> kAll = {"open", "invite_only", "disabled"};
};
