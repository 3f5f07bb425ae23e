// The contract as its author wrote it, key by key. Names are not resolved and expressions not read
// yet.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "contract/external.hpp"
#include "contract/flow.hpp"
#include "contract/grant.hpp"
#include "contract/pages.hpp"
#include "contract/queries.hpp"
#include "contract/services.hpp"
#include "contract/text.hpp"
#include "contract/value.hpp"

namespace svc::contract {

struct Theme {
    std::optional<Text> accent, font;
    std::optional<Value> radius;
};

struct App {
    Text name, description;
    std::optional<Text> timezone, currency, locale;
    Theme theme;
};

struct Persona {
    Text id, kind, label;
    std::optional<bool> signup;
    Texts extends;
    bool mfa_required = false;
    std::string path;
};

struct MailText {
    std::string kind;  // key of auth.mails
    std::optional<Text> subject;
    Text text;
};

struct Auth {
    Text signup;
    bool verify_email = false, refuse_common = false;
    std::vector<MailText> mails;
    std::optional<Value> min_password;
    std::optional<Text> session_idle, session_max;
    std::optional<Texts> methods;
    std::vector<Provider> providers;
};

struct Orgs {
    bool enabled = false;
    Texts roles;
};

struct Field {
    Text name, type, label;
    bool required = false, unique = false, immutable = false, index = false;
    std::optional<Value> default_value, min, max, scale;
    std::optional<Text> pattern, prefix, to, on_delete, renamed_from, computed;
    std::optional<Texts> values, read, write;
    std::vector<std::pair<std::string, Text>> labels;  // of the values of an enum
    std::vector<std::string> given;                    // every key that the contract has
    std::string path;
};

struct Relation {
    std::string name;
    Text many, by;
    std::string path;
};

struct Transition {
    Text name;
    Texts from;
    Text to;
    Texts by;
    std::optional<Text> condition, refusal;
    std::vector<std::pair<std::string, Text>> set;
    std::string path;
};

struct Lifecycle {
    Text field, initial;
    Texts states, final_states;
    std::vector<Transition> transitions;
    std::string path;
};

struct Grants {
    std::vector<Grant> read, create, update, remove;
};

struct Access {
    std::optional<Text> same_as;
    Grants grants, deny;
    bool has_grants = false;  // the contract has any of read, create, update, delete, deny
    std::string path;
};

struct Rule {
    Texts on;
    Text refuse, message;
    std::optional<Text> field;
    std::string path;
};

struct SoftDelete {
    bool on = false;
    std::optional<Text> keep;  // a duration; none: for ever
};

struct Entity {
    Text name, label, owner;
    std::vector<Field> fields;
    std::vector<Relation> relations;
    std::optional<Lifecycle> lifecycle;
    std::optional<Access> access;
    std::vector<Rule> rules;
    std::vector<Texts> unique, indexes;
    std::optional<Texts> search;  // field or field^weight
    std::optional<Text> display;  // what a row is called
    std::optional<Text> renamed_from;
    std::optional<External> external;
    SoftDelete soft_delete;
    bool audit = false;
    std::string path;
};

struct Contract {
    App app;
    std::vector<Persona> personas;
    Auth auth;
    Orgs orgs;
    std::vector<Entity> entities;
    Flows flows;
    std::vector<Query> queries;
    Services services;
    std::vector<Page> pages;
    std::vector<Component> components;
    std::optional<Value> seeds;
    std::set<std::string> doubtful;  // names and paths of unsound parts, which are left out
};

}  // namespace svc::contract
