#include <map>
#include <set>

#include "base/ascii.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"
#include "model/value_mend.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using contract::Member;
using contract::Value;

// The keys that seeds of one list carry, so that refs can be checked whatever the order.
std::set<std::string> keys_of(const Value& seeds, const std::string& list) {
    std::set<std::string> out;
    const Value* rows = seeds.find(list);
    if (rows == nullptr) return out;
    for (const Value& row : rows->items) {
        if (const Value* key = row.find("_key")) out.insert(key->text);
    }
    return out;
}

class Seeder {
  public:
    Seeder(Work work, const Value& seeds) : work_(work), seeds_(seeds) {}

    void run() {
        for (const Member& list : seeds_.members) {
            if (list.name == "@users") {
                users(list.value);
            } else if (const auto entity = find_entity(work_.out, list.name)) {
                rows(list.value, *entity);
            } else {
                unknown_entity(work_, {list.name, list.value.path});
            }
        }
    }

  private:
    void bad(const Value& value, const std::string& name, const std::string& problem,
             std::string fix = {}) {
        work_.findings.error("BAD_SEED", value.path, "\"" + name + "\" " + problem + ".",
                             std::move(fix));
    }

    bool text(const Value& value, const std::string& name) {
        if (value.is(Value::Kind::string) && !value.text.empty()) return true;
        bad(value, name, "must be a string", "write \"…\", with at least one character");
        return false;
    }

    // The key of row number `i`, unique in its list.
    std::string key(const Value& row, std::size_t i, std::set<std::string>& seen) {
        const Value* given = row.find("_key");
        if (given == nullptr) return "#" + std::to_string(i);
        if (!text(*given, "_key")) return "";
        if (given->text.front() == '#' || given->text.front() == '@') {
            bad(*given, "_key", "must not begin with # or @", "begin it with a letter");
        }
        if (!seen.insert(given->text).second) {
            bad(*given, "_key", "is \"" + given->text + "\" in another row too",
                "give each row of the list its own \"_key\"");
        }
        return given->text;
    }

    void rows(const Value& list, std::size_t entity) {
        std::vector<SeedRow> out;
        std::set<std::string> seen;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            out.push_back(row(list.items[i], entity, key(list.items[i], i, seen)));
        }
        check_seed_uniques(work_, work_.out.entities[entity], out);
        work_.out.seeds.rows.emplace_back(entity, std::move(out));
    }

    SeedRow row(const Value& in, std::size_t entity, std::string key) {
        SeedRow out;
        out.key = std::move(key);
        out.path = in.path;
        for (const Member& member : in.members) {
            if (member.name == "_key") continue;
            if (member.name == "_as") {
                owner(member.value, entity, out);
                continue;
            }
            if (member.name == "user_id" && work_.out.entities[entity].owner.user) {
                work_.findings.error("BAD_SEED", contract::name_of(member.value.path),
                                     "A seeded row names its owner in \"_as\".",
                                     "write \"_as\": \"<_key of a seeded user>\"");
                continue;
            }
            const auto field = resolve_own_field(
                work_, entity, {member.name, contract::name_of(member.value.path)});
            if (field) value(work_.out.entities[entity].fields[*field], *field, member.value, out);
        }
        missing(in, work_.out.entities[entity]);
        return out;
    }

    void owner(const Value& in, std::size_t entity, SeedRow& out) {
        if (!text(in, "_as")) return;
        out.owner_key = in.text.starts_with("@") ? in.text.substr(1) : in.text;
        known(in, "@users", out.owner_key);
        if (!work_.out.entities[entity].owner.user) {
            bad(in, "_as",
                "has no meaning here: rows of " + work_.out.entities[entity].name +
                    " have no owner",
                "remove it");
        }
    }

    void known(const Value& in, const std::string& list, const std::string& key) {
        const auto [at, first] = keys_.try_emplace(list);
        if (first) at->second = keys_of(seeds_, list);
        const std::set<std::string>& keys = at->second;
        if (keys.contains(key)) return;
        work_.findings.missing(
            "UNKNOWN_SEED", key, in.path, "No row of " + list + " has the key \"" + key + "\".",
            list == "@users" && key.find('@') != std::string::npos
                ? key_of_address(key)
                : did_you_mean(key, {keys.begin(), keys.end()},
                               "give the row that you mean \"_key\": \"" + key + "\""));
    }

    std::string key_of_address(const std::string& address) const {
        const Value* users = seeds_.find("@users");
        for (const Value& user : users != nullptr ? users->items : std::vector<Value>{}) {
            const Value* email = user.find("email");
            if (email == nullptr || base::lower(email->text) != base::lower(address)) continue;
            const Value* key = user.find("_key");
            return key != nullptr ? "write \"" + key->text + "\", the _key of that user"
                                  : "give that user a \"_key\", and write the key here";
        }
        return "write the \"_key\" of a seeded user, not an address";
    }

    // How a field names another row.
    std::string link(const Field& field) const {
        if (field.type == FieldType::user) return "write \"@<_key>\" of a seeded user";
        if (field.type != FieldType::ref || field.broken) return {};
        return "write \"@<_key>\" of a row of " + work_.out.entities[field.ref_entity].name;
    }

    static const char* clock_of(const Field& field) {
        return field.type == FieldType::datetime ? "now()"
               : field.type == FieldType::date   ? "today()"
                                                 : nullptr;
    }

    // The values that are possible instead of one that the field cannot hold.
    std::string other_value(const Field& field, const Value& in, const std::string& problem) const {
        const bool form = problem.find(" like ") != std::string::npos;
        if (!form || clock_of(field) == nullptr) {
            const std::string named = link(field);
            return named.empty() ? value_mend(field, in, problem, work_.out.app.currency) : named;
        }
        return std::string("write such a value, or \"") + clock_of(field) +
               "\" for the time of the seeding";
    }

    void value(const Field& field, std::size_t index, const Value& in, SeedRow& out) {
        SeedValue made;
        made.field = index;
        const bool names_row = in.is(Value::Kind::string) && in.text.starts_with("@") &&
                               (field.type == FieldType::ref || field.type == FieldType::user);
        if (field.computed) {
            bad(in, field.name, "is computed, so a seed cannot set it", "remove it");
        } else if (in.is(Value::Kind::null)) {
            made.null = true;
            if (field.required)
                bad(in, field.name, "is required, so it cannot be null", "write a value");
        } else if (names_row) {
            made.ref_key = in.text.substr(1);
            made.ref_user = field.type == FieldType::user;
            made.ref_entity = field.ref_entity;
            if (!field.broken)
                known(in, made.ref_user ? "@users" : work_.out.entities[field.ref_entity].name,
                      made.ref_key);
        } else if (const char* clock = clock_of(field);
                   clock != nullptr && in.is(Value::Kind::string) && in.text == clock) {
            made.clock = true;
            made.text = clock;
        } else {
            const Converted converted = pg_text(field, in);
            if (!converted.text)
                bad(in, field.name, converted.problem, other_value(field, in, converted.problem));
            made.text = converted.text.value_or("");
        }
        out.values.push_back(std::move(made));
    }

    void missing(const Value& in, const Entity& entity) {
        for (const Field& field : entity.fields) {
            const bool filled =
                !field.required || field.computed || field.type == FieldType::sequence ||
                field.default_value.kind != Default::Kind::none || in.find(field.name) != nullptr;
            if (filled) continue;
            work_.findings.missing(
                "BAD_SEED", contract::child(field.path, "default"), in.path,
                "This row has no \"" + field.name + "\", but " + entity.name + " requires it.",
                "add \"" + field.name + "\"");
        }
    }

    void users(const Value& list) {
        std::set<std::string> keys, emails;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            SeedUser user;
            user.key = key(list.items[i], i, keys);
            this->user(list.items[i], user);
            const std::string address = base::lower(user.email);
            if (!address.empty() && !emails.insert(address).second) {
                bad(*list.items[i].find("email"), "email", "is also the address of another user",
                    "give each user an address of their own");
            }
            // A position may be another account's next time; an address stays.
            if (user.key.starts_with('#') && !address.empty()) user.key = "#" + address;
            work_.out.seeds.users.push_back(std::move(user));
        }
    }

    void user(const Value& in, SeedUser& out) {
        for (const Member& member : in.members) {
            if (member.name == "isAdmin") out.is_admin = member.value.text == "true";
            if (member.name == "_key" || member.name == "isAdmin") continue;
            if (!text(member.value, member.name)) continue;
            (member.name == "email"  ? out.email
             : member.name == "name" ? out.name
                                     : out.persona) = member.value.text;
        }
        says_who(in, out);
    }

    void says_who(const Value& in, const SeedUser& user) {
        if (!user.email.empty() && !is_email(user.email)) {
            bad(*in.find("email"), "email", "must be an e-mail address");
        }
        if (!user.persona.empty()) persona_list(work_, {{user.persona, in.find("persona")->path}});
    }

    Work work_;
    const Value& seeds_;
    std::map<std::string, std::set<std::string>> keys_;  // by list
};

}  // namespace

void resolve_seeds(Work work) {
    if (!work.in.seeds) return;
    if (work.in.seeds->is(Value::Kind::string)) {
        work.out.seeds.unchanged = true;
        return;
    }
    Seeder(work, *work.in.seeds).run();
}

}  // namespace svc::model
