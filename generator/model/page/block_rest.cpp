// Blocks of the services, and components; rows of named queries.
#include <algorithm>

#include "model/names.hpp"
#include "model/page/block_reader.hpp"

namespace svc::model {

void BlockReader::query_source(const contract::Text& name) {
    const auto found = find_query(work_.out, name.text);
    if (!found) return unknown_query(work_, name);
    const Query& query = work_.out.queries[*found];
    if (query.writes) {
        return bad(name.path,
                   "\"" + name.text + "\" writes, but a block can only run queries that read.",
                   "name a query with mode read");
    }
    out_.query = name.text;
    query_params(query);
}

void BlockReader::query_params(const Query& query) {
    std::vector<std::string> known, given;
    for (const Field& param : query.params) known.push_back(param.name);
    for (const contract::Member& member : in_.members("params")) {
        given.push_back(member.name);
        const auto found = std::find(known.begin(), known.end(), member.name);
        if (found == known.end()) {
            work_.findings.missing(
                "BAD_BLOCK", member.name, contract::name_of(member.value.path),
                query.name + " has no parameter \"" + member.name + "\".",
                did_you_mean(member.name, known,
                             known.empty() ? "remove it" : "its parameters are " + joined(known)));
            continue;
        }
        const Field& field = query.params[static_cast<std::size_t>(found - known.begin())];
        if (has_placeholders(member.value) || fits(member.value, field, field.name)) {
            out_.params.emplace_back(member.name, read_page_value(scope(false), member.value));
        }
    }
    for (const Field& param : query.params) {
        const std::string& name = param.name;
        if (!param.required || std::find(given.begin(), given.end(), name) != given.end()) {
            continue;
        }
        work_.findings.missing("MISSING_KEY", in_.path() + "/params/" + name, in_.path(),
                               query.name + " needs a value for \"" + name + "\".",
                               "add it to \"params\"");
    }
}

void BlockReader::pay() {
    out_.methods = distinct_names(work_, in_.texts("methods"));
    if (work_.out.payments) out_.entity = work_.out.payments->order;
    row_id();
    if (!work_.in.services.payments) {
        if (work_.findings.doubts("/payments")) return;
        return bad(in_.path(), "A pay block needs \"payments\", and the contract has none.",
                   "add \"payments\", or remove the block");
    }
    if (!work_.out.payments) return;  // it has its finding
    for (const contract::Text& method : in_.texts("methods")) {
        const bool taken =
            method.text == "card" ? work_.out.payments->card : work_.out.payments->offline;
        if (taken) continue;
        bad(method.path, "\"payments\" does not take \"" + method.text + "\".",
            "add it to payments.methods, or remove it here");
    }
    out_.then = link("then", true);
}

void BlockReader::auth() {
    std::vector<std::string> known;
    if (work_.out.auth.password) known.emplace_back("password");
    if (work_.out.auth.magic) known.emplace_back("magic");
    if (work_.out.auth.passkey) known.emplace_back("passkey");
    for (const Provider& provider : work_.out.auth.providers) {
        known.push_back("oidc:" + provider.id);
    }
    for (const contract::Text& method : distinct(work_, in_.texts("methods"))) {
        out_.methods.push_back(method.text);
        if (std::find(known.begin(), known.end(), method.text) != known.end()) continue;
        work_.findings.missing(
            "UNKNOWN_VALUE", "/auth/methods", method.path,
            "\"" + method.text + "\" is not a sign-in method of this app.",
            did_you_mean(method.text, known, "the methods of auth are " + joined(known)));
    }
    out_.signup = in_.flag("signup");
    if (out_.signup && work_.out.auth.signup == Auth::Signup::disabled) {
        bad(in_.find("signup")->path, "Nobody can sign up: auth.signup is disabled.",
            "remove \"signup\" here, or change auth.signup");
    }
    out_.then = link("then", false);
}

void BlockReader::search() {
    for (const contract::Text& name : distinct(work_, in_.texts("entities"))) {
        const auto entity = resolve_entity(work_, name);
        if (!entity) continue;
        out_.entities.push_back(*entity);
        const Entity& found = work_.out.entities[*entity];
        if (!found.search.empty() || work_.findings.doubts(found.path + "/search")) continue;
        bad(name.path, "\"" + name.text + "\" cannot be searched: the entity has no \"search\".",
            "add \"search\": [\"<field>\"] to the entity");
    }
    if (in_.items("entities").empty() && !work_.findings.doubts(in_.path() + "/entities")) {
        bad(in_.path() + "/entities", "\"entities\" is empty.", "name an entity");
    }
    count("limit", 25);
}

void BlockReader::component() {
    out_.component = resolve_component(work_, in_.text("name"));
    for (const contract::Member& member : in_.members("props")) {
        out_.props.emplace_back(member.name, read_page_value(scope(false), member.value));
    }
}

}  // namespace svc::model
