#include "unit/check/mutants.hpp"

#include <algorithm>
#include <functional>

namespace svc::tests {
namespace {

const std::vector<std::string> kOperations = {"read", "create", "update", "delete"};

class Maker {
  public:
    explicit Maker(const Json& contract) : contract_(contract) {}
    std::vector<Mutant> make();

  private:
    using Change = std::function<void(Json&)>;
    // `change` gets what stands at `path` of a copy.
    void add(Mutant mutant, const std::string& path, const Change& change) {
        Json copy = contract_;
        change(copy[Json::json_pointer(path)]);
        mutant.contract = copy.dump();
        out_.push_back(std::move(mutant));
    }
    void access(const Json& entity, const std::string& path);
    void grants(const std::string& entity, const std::string& operation, const Json& grants,
                const std::string& path, bool deny);
    void grant(Mutant base, const Json& grant, const std::string& path);
    void fields(const Json& entity, const std::string& path);
    void transitions(const Json& entity, const std::string& path);
    void personas();
    void signup();
    void seeds();

    const Json& contract_;
    std::vector<Mutant> out_;
};

std::string principal(const Json& grant) {
    if (grant.is_string()) return grant;
    return grant.at("to").is_string() ? grant.at("to").get<std::string>() : "";
}

void Maker::grant(Mutant base, const Json& grant, const std::string& path) {
    const auto named = [&](const std::string& what) {
        Mutant out = base;
        out.name += ": " + what;
        return out;
    };
    Mutant wide = named("to everybody");
    wide.persona.clear();
    if (principal(grant) != "*") {
        add(wide, path, [](Json& at) { at.is_string() ? at = "*" : at["to"] = "*"; });
    }
    if (grant.is_string()) return;
    if (grant.contains("if")) {
        add(named("condition dropped"), path, [](Json& at) { at.erase("if"); });
        add(named("condition turned round"), path,
            [](Json& at) { at["if"] = "!(" + at["if"].get<std::string>() + ")"; });
    } else {
        add(named("condition added"), path,
            [](Json& at) { at["if"] = "created_at > now() - duration('7d')"; });
    }
    if (!grant.contains("fields")) return;
    Mutant fields = named("fields dropped");
    add(fields, path, [](Json& at) { at.erase("fields"); });
    if (grant["fields"].size() < 2) return;
    fields = named("first field dropped");
    fields.field = grant["fields"][0];
    add(fields, path, [](Json& at) { at["fields"].erase(0); });
}

void Maker::grants(const std::string& entity, const std::string& operation, const Json& grants,
                   const std::string& path, bool deny) {
    Mutant base{entity + ": " + (deny ? "deny " : "") + operation, entity, {operation}, "", "", ""};
    if (!grants.is_array()) {
        base.persona = principal(grants);
        grant(base, grants, path);
        return;
    }
    for (std::size_t i = 0; i < grants.size(); ++i) {
        const std::string at = path + "/" + std::to_string(i);
        Mutant one = base;
        one.name += " of " + principal(grants[i]);
        one.persona = principal(grants[i]);
        grant(one, grants[i], at);
        one.name += ": dropped";
        add(one, path, [i](Json& list) { list.erase(i); });
    }
}

void Maker::access(const Json& entity, const std::string& path) {
    const std::string name = entity["name"];
    if (!entity.contains("access")) {
        add({name + ": access closed", name, {"read"}, "", "", ""}, path,
            [](Json& at) { at["access"] = Json::object(); });
        return;
    }
    const Json& block = entity["access"];
    add({name + ": access dropped", name, kOperations, "", "", ""}, path,
        [](Json& at) { at.erase("access"); });
    if (block.contains("same_as")) {
        add({name + ": follows nobody", name, {"read"}, "", "", ""}, path + "/access",
            [](Json& at) {
                at = Json{{"read", "*"}};
            });
        return;
    }
    for (const std::string& operation : kOperations) {
        const std::string at = path + "/access/" + operation;
        const Mutant base{name + ": " + operation, name, {operation}, "", "", ""};
        const auto named = [&](const std::string& what) {
            Mutant out = base;
            out.name += " " + what;
            return out;
        };
        if (block.value(operation, Json()) != "*") {
            add(named("open"), path + "/access", [&](Json& all) { all[operation] = "*"; });
        }
        if (!block.contains(operation) || block[operation].empty()) continue;
        add(named("dropped"), path + "/access", [&](Json& all) { all.erase(operation); });
        grants(name, operation, block[operation], at, false);
    }
    if (block.contains("read") && block.contains("create") && block["read"] != block["create"]) {
        add({name + ": read and create swapped", name, {"read"}, "", "", ""}, path + "/access",
            [](Json& all) { std::swap(all["read"], all["create"]); });
    }
    if (!block.contains("deny")) return;
    for (const auto& [operation, denied] : block["deny"].items()) {
        add({name + ": deny " + operation + " dropped", name, {operation}, "", "", ""},
            path + "/access/deny", [&](Json& all) { all.erase(operation); });
        grants(name, operation, denied, path + "/access/deny/" + operation, true);
    }
}

void Maker::fields(const Json& entity, const std::string& path) {
    const std::string name = entity["name"];
    const Json& fields = entity["fields"];
    const std::string some = contract_["personas"][0]["id"];
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::string at = path + "/fields/" + std::to_string(i);
        const std::string field = fields[i]["name"];
        for (const char* list : {"read", "write"}) {
            const bool reads = std::string(list) == "read";
            Mutant mutant{name + "." + field + ": " + list,
                          name,
                          reads ? std::vector<std::string>{"read"}
                                : std::vector<std::string>{"create", "update"},
                          "",
                          field,
                          ""};
            const auto change = [&](const char* what, const Change& by) {
                Mutant one = mutant;
                one.name += std::string(" ") + what;
                add(one, at, by);
            };
            if (fields[i].contains(list)) {
                change("dropped", [&](Json& of) { of.erase(list); });
                change("for another", [&](Json& of) { of[list] = {some}; });
            } else {
                change("for nobody", [&](Json& of) { of[list] = Json::array(); });
            }
        }
        if (fields[i].value("immutable", false)) {
            add({name + "." + field + ": immutable dropped", name, {"update"}, "", field, ""}, at,
                [](Json& of) { of.erase("immutable"); });
        }
        if (fields[i].contains("read") != fields[i].contains("write")) {
            add({name + "." + field + ": read and write swapped",
                 name,
                 {"read", "create", "update"},
                 "",
                 field,
                 ""},
                at, [](Json& of) {
                    const bool reads = of.contains("read");
                    of[reads ? "write" : "read"] = of[reads ? "read" : "write"];
                    of.erase(reads ? "read" : "write");
                });
        }
    }
}

void Maker::transitions(const Json& entity, const std::string& path) {
    if (!entity.contains("lifecycle")) return;
    const std::string name = entity["name"];
    const Json& moves = entity["lifecycle"]["transitions"];
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const std::string at = path + "/lifecycle/transitions/" + std::to_string(i);
        const std::string move = moves[i]["name"];
        const Mutant base{name + ": transition " + move, name, {"transition " + move}, "", "", ""};
        const auto change = [&](const char* what, const Change& by) {
            Mutant one = base;
            one.name += std::string(" ") + what;
            add(one, at, by);
        };
        change("by everybody", [](Json& of) { of["by"] = "*"; });
        change("by nobody", [](Json& of) { of["by"] = Json::array(); });
        if (moves[i].contains("if")) {
            change("condition dropped", [](Json& of) { of.erase("if"); });
            change("condition turned round",
                   [](Json& of) { of["if"] = "!(" + of["if"].get<std::string>() + ")"; });
        } else {
            change("condition added", [](Json& of) { of["if"] = "user.isAdmin"; });
        }
        for (const Json& state : entity["lifecycle"]["states"]) {
            if (moves[i]["from"] == state) continue;
            change(("from " + state.get<std::string>() + " alone").c_str(),
                   [&](Json& of) { of["from"] = Json::array({state}); });
        }
    }
}

// The kind of a persona matters everywhere: the report may name any entity.
void Maker::personas() {
    const Json& all = contract_["personas"];
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string at = "/personas/" + std::to_string(i);
        const std::string id = all[i]["id"];
        const bool staff = all[i]["kind"] == "staff";
        add({id + ": of the other kind", "", {}, id, "", ""}, at,
            [&](Json& of) { of["kind"] = staff ? "consumer" : "staff"; });
        if (all[i].contains("extends")) {
            add({id + ": extends nobody", "", {}, id, "", ""}, at,
                [](Json& of) { of.erase("extends"); });
        }
        for (const Json& other : all) {
            if (other["id"] == id || all[i].contains("extends")) continue;
            add({id + ": extends " + other["id"].get<std::string>(), "", {}, id, "", ""}, at,
                [&](Json& of) { of["extends"] = Json::array({other["id"]}); });
        }
    }
}

// Changes of sign-up.
void Maker::signup() {
    const Json& all = contract_["personas"];
    const bool any_says = std::any_of(all.begin(), all.end(),
                                      [](const Json& of) { return of.value("signup", false); });
    const auto first = std::find_if(all.begin(), all.end(),
                                    [](const Json& of) { return of["kind"] == "consumer"; });
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string id = all[i]["id"];
        const std::string at = "/personas/" + std::to_string(i);
        const bool offered = any_says ? all[i].value("signup", false) : *first == all[i];
        add({id + ": signup", id, {"sign up"}, "guest", "", ""}, at,
            [&](Json& of) { of["signup"] = !offered; });
        add({id + ": second factor", "", {"second factor"}, id, "", ""}, at, [](Json& of) {
            if (of.erase("mfa") == 0) of["mfa"] = "required";
        });
    }
    const std::string policy = contract_.value("auth", Json::object()).value("signup", "open");
    for (const char* other : {"open", "invite_only", "disabled"}) {
        if (policy == other) continue;
        add({std::string("auth: ") + other, "", {"sign up"}, "guest", "", ""}, "",
            [&](Json& of) { of["auth"]["signup"] = other; });
    }
}

void Maker::seeds() {
    for (const Json& persona : contract_["personas"]) {
        const std::string id = persona["id"];
        const auto seed = [&](const std::string& what, bool admin) {
            add({"seeds: " + what + " " + id, id, {"seed"}, "", "", ""}, "", [&](Json& of) {
                of["seeds"]["@users"].push_back(
                    {{"email", "eve@example.test"}, {"persona", id}, {"isAdmin", admin}});
            });
        };
        if (persona["kind"] == "staff") seed("new", false);
        seed("administrator", true);
    }
    const Json users = contract_.value("seeds", Json::object()).value("@users", Json::array());
    for (std::size_t i = 0; i < users.size(); ++i) {
        add({"seeds: rights of " + users[i]["email"].get<std::string>(),
             users[i]["persona"],
             {"seed"},
             "",
             "",
             ""},
            "/seeds/@users/" + std::to_string(i),
            [](Json& of) { of["isAdmin"] = !of.value("isAdmin", false); });
    }
}

std::vector<Mutant> Maker::make() {
    const Json& entities = contract_["entities"];
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const std::string path = "/entities/" + std::to_string(i);
        access(entities[i], path);
        fields(entities[i], path);
        transitions(entities[i], path);
    }
    personas();
    signup();
    seeds();
    return std::move(out_);
}

}  // namespace

std::vector<Mutant> mutants(const Json& contract) { return Maker(contract).make(); }

}  // namespace svc::tests
