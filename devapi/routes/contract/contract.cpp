// Reading the contract back, as it is or was, bringing another one together with it, and checking
// one.
#include "calls/environment.hpp"
#include "common/json_slice.hpp"
#include "http/fields.hpp"
#include "platform/project/contract_versions.hpp"
#include "routes/contract/base_version.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"
#include "versions/contract_merge.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kUnchanged = "\"UNCHANGED\"";

// The contract that a change started from, none if it is not kept; "{}" is that of version 0.
std::optional<std::string> text_of_version(Context& context, const std::string& project,
                                           std::int64_t version, const LiveContract& live) {
    if (version == live.version) return live.text;
    if (version == 0) return "{}";
    if (version > live.version) return std::nullopt;
    const auto found = find_version(context.store, project, version);
    return found ? std::optional(found->contract) : std::nullopt;
}

void refuse_version(std::int64_t version, Response& response) {
    response.refuse(Code::not_found,
                    "Version " + std::to_string(version) +
                        " of the contract is no longer kept, or it was never live.");
}

// Put together by hand: the contract keeps its author's order and digits.
void send_contract(const std::string& contract, bool built, std::int64_t version,
                   Response& response) {
    response.body = "{\"contract\":" + contract + ",\"built\":" + (built ? "true" : "false") +
                    (version > 0 ? ",\"version\":" + std::to_string(version) : "") + "}";
}

// ?seeds and ?version as they were sent.
struct ContractQuery {
    bool seeds = false;
    std::optional<std::int64_t> version = {};
};

// None: answered 400.
std::optional<ContractQuery> contract_query(const Request& request, Response& response) {
    ContractQuery out;
    const std::string seeds = query_value(request.query, "seeds"),
                      version = query_value(request.query, "version");
    out.seeds = seeds == "1" || seeds == "true";
    if (!out.seeds && !seeds.empty() && seeds != "0" && seeds != "false") {
        bad_parameter(response, "seeds", "Must be 1 or 0.");
        return std::nullopt;
    }
    if (version.empty()) return out;
    out.version = positive_number(version);
    if (out.version) return out;
    bad_parameter(response, "version", "Must be a whole number, 1 or more.");
    return std::nullopt;
}

// Read from the database itself, so text and version belong to one apply.
void show_whole(Context& context, const Request& request, const ContractQuery& query,
                Response& response) {
    if (!may_read(request, response)) return;
    const auto live = context.apps.current_contract(request.project->id);
    if (!live && !query.version) return send_contract("null", false, 0, response);
    const std::int64_t version = query.version.value_or(live ? live->version : 0);
    const auto text =
        live ? text_of_version(context, request.project->id, version, *live) : std::nullopt;
    if (!text) return refuse_version(version, response);
    send_contract(query.seeds ? *text : with_member(*text, "seeds", kUnchanged), true, version,
                  response);
}

void show(Context& context, const Request& request, Response& response) {
    const auto query = contract_query(request, response);
    if (!query) return;
    if (query->seeds || query->version) return show_whole(context, request, *query, response);
    const AppState state = context.apps.state(request.project->id);
    send_contract(state.contract ? with_member(*state.contract, "seeds", kUnchanged) : "null",
                  state.built, 0, response);
}

std::string conflicts_text(const std::vector<versions::MergeConflict>& conflicts) {
    std::string out;
    const auto value = [](const std::string& text) { return text.empty() ? "null" : text; };
    for (const auto& one : conflicts)
        out += (out.empty() ? "{\"path\":" : ",{\"path\":") + json(one.path).dump() +
               ",\"base\":" + value(one.base) + ",\"mine\":" + value(one.mine) +
               ",\"theirs\":" + value(one.theirs) + "}";
    return "[" + out + "]";
}

// {contract, baseVersion, prefer?}: what the caller made of a version, and what has become of it
// since, in one contract. Null if both changed the same thing and nobody is preferred.
void merge(Context& context, const Request& request, Response& response) {
    const auto mine = contract_of(request, response);
    if (!mine) return;
    Fields fields(request);
    const auto base = base_version_of(fields);
    const std::string prefer = fields.text("prefer", 1, 10).value_or("");
    if (!base) fields.wrong("baseVersion", "Is required.");
    if (!prefer.empty() && prefer != "mine" && prefer != "theirs")
        fields.wrong("prefer", "Must be mine or theirs.");
    if (!fields.good(response)) return;
    const auto live = context.apps.current_contract(request.project->id);
    if (!live) return refuse_no_app(Env::dev, response);
    const auto started = text_of_version(context, request.project->id, *base, *live);
    if (!started) return refuse_version(*base, response);
    const auto side = prefer == "theirs" ? versions::Side::theirs : versions::Side::mine;
    const auto merged = versions::merge_contracts(*started, *mine, live->text, side);
    const bool decided = merged.conflicts.empty() || !prefer.empty();
    response.body = "{\"contract\":" + (decided ? merged.text : "null") +
                    ",\"version\":" + std::to_string(live->version) +
                    ",\"conflicts\":" + conflicts_text(merged.conflicts) + "}";
}

void check(Context& context, const Request& request, Response& response) {
    const auto contract = contract_of(request, response);
    if (!contract) return;
    Fields fields(request);
    const bool all = fields.boolean("exposure").value_or(false);
    const bool pages = fields.boolean("pages").value_or(false);
    if (!fields.good(response)) return;
    const CheckOutcome outcome =
        context.apps.check(request.project->id, std::string(*contract),
                           request.project->role >= Role::admin, request.caller.user_id);
    json answer = {{"report", report_json(outcome.findings)},
                   {"exposure", json::parse(outcome.exposure)},
                   {"schedules", json::parse(outcome.schedules)}};
    if (all) {
        answer["matrix"] = json::parse(outcome.matrix);
        answer["table"] = outcome.table;
    }
    response.send(200, answer);
    // Laid out, to be written into a file as it is.
    if (pages)
        response.body.replace(response.body.rfind('}'), 1, ",\"pages\":" + outcome.pages + "}");
}

}  // namespace

void bind_contract(RouteTable& table) {
    table.add({"GET", "/projects/:id/contract", Need::any, Role::viewer, show},
              {"seeds", "version"});
    table.add({"POST", "/projects/:id/contract/merge", Need::read, Role::viewer, merge,
               kContractLimit, false, false, true});
    table.add({"POST", "/projects/:id/check", Need::any, Role::viewer, check, kContractLimit, false,
               false, true});
}

}  // namespace svc::devapi
