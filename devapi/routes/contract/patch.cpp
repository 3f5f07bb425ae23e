// Changes the current contract by operations, and applies the result.
#include "patch/patch.hpp"

#include "common/json_slice.hpp"
#include "http/fields.hpp"
#include "routes/contract/apply_answer.hpp"
#include "routes/contract/base_version.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"
#include "routes/take_lease.hpp"

namespace svc::devapi {
namespace {

using Edits = std::vector<std::string_view>;

// None if the edits are missing or wrong; the answer is then 400.
std::optional<Edits> edits_of(const Request& request, Fields& fields, Response& response) {
    if (!fields.good(response)) return std::nullopt;
    const auto list = json_member(request.body, "edits");
    Edits edits;
    if (list && list->starts_with('[')) edits = json_elements(*list);
    if (!edits.empty() && edits.size() <= patch::kMostEdits) return edits;
    fields.wrong("edits",
                 "Must be a list of 1 to " + std::to_string(patch::kMostEdits) + " operations.");
    fields.good(response);
    return std::nullopt;
}

void refuse_edit(const patch::PatchError& refused, Response& response) {
    const std::string at = "edits/" + std::to_string(refused.index);
    const std::string field = refused.member.empty() ? at : at + "/" + refused.member;
    const json detail = {{"field", field}, {"message", refused.what()}};
    response.send(status(Code::bad_request), {{"error", field + ": " + refused.what()},
                                              {"code", name(Code::bad_request)},
                                              {"index", refused.index},
                                              {"details", json::array({detail})}});
}

struct Patch {
    Edits edits;
    std::optional<int> base;
};

// The contract as the edits leave it; none: answered.
std::optional<std::string> patched_contract(Context& context, const Request& request,
                                            const Patch& wanted, patch::PatchContext& patch_context,
                                            Response& response) {
    const std::string& project = request.project->id;
    const auto live = context.apps.current_contract(project);
    if (!live) {
        response.refuse(Code::no_app, "This project has no contract yet. Apply one first.");
        return std::nullopt;
    }
    if (wanted.base && !is_live_one(context, request, *wanted.base, live, response))
        return std::nullopt;
    std::optional<std::string> contract;
    patch_context.table = [&](const std::string& table) {
        return context.apps.unmanaged(project, table);
    };
    try {
        contract = patch::patched(live->text, wanted.edits, patch_context);
    } catch (const patch::PatchError& refused) {
        refuse_edit(refused, response);
        return std::nullopt;
    }
    if (contract->size() <= kContractLimit) return contract;
    response.refuse(Code::bad_request, "The contract would become larger than 8 MB.");
    return std::nullopt;
}

// Findings have lines and columns: those of a text that the caller has not seen.
// Seeds are rows, which take the scope `read`.
void show_text(const Request& request, const std::string& contract, Response& response) {
    if (!json_member(response.body, "report")) return;
    const bool hidden = !request.caller.has("read") && json_member(contract, "seeds");
    const std::string shown = hidden ? with_member(contract, "seeds", "\"UNCHANGED\"") : contract;
    response.body = with_member(response.body, "contractText", patch::json_text(shown));
}

void patch_project(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const bool force = fields.boolean("force").value_or(false);
    const bool dry = fields.boolean("dryRun").value_or(false);
    const auto base = base_version_of(fields);
    const auto edits = edits_of(request, fields, response);
    if (!edits) return;
    const Patch wanted{*edits, base};
    patch::PatchContext patch_context;
    if (dry) {
        const auto contract = patched_contract(context, request, wanted, patch_context, response);
        if (!contract) return;
        run_preview(context, request, {*contract, force, patch_context.replaced}, response);
        return show_text(request, *contract, response);
    }
    // The contract is read under the lease: nobody changes it before this patch has.
    const auto lease =
        take_lease(context, request, {LeaseKind::apply, request.caller.user_id}, response);
    if (!lease) return;
    const auto contract = patched_contract(context, request, wanted, patch_context, response);
    if (!contract) return lease->finish({LeaseEnd::refused, 0, "The patch could not be applied."});
    run_apply(context, request, *lease, {*contract, force, patch_context.replaced}, response);
    show_text(request, *contract, response);
}

}  // namespace

void bind_patch(RouteTable& table) {
    table.add({"POST", "/projects/:id/patch", Need::apply, Role::developer, patch_project,
               kContractLimit, true});
}

}  // namespace svc::devapi
