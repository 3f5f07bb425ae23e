// Operations on accounts, projects and contracts.
#include "mcp/operation_families.hpp"

namespace svc::devapi {
namespace {

constexpr Operation kContractOperations[] = {
    {"me", "Current account", "The account that the token belongs to, its scopes and workspaces.",
     "GET", "/me", kNone, "", true, false},
    {"docs", "Guide to contracts",
     "The guide for authors of contracts, as Markdown. Read it before writing a contract.", "GET",
     "/docs", kNone, "", true, false},
    {"list_tokens", "Tokens", "The caller's own access tokens, without their values.", "GET",
     "/tokens", kNone, "", true, false},
    {"revoke_token", "Revoke a token",
     "Revokes the token of this connection at once. Revoking another token needs a session.",
     "DELETE", "/tokens/:token", kNone, "", false, true},
    {"list_projects", "Projects", "Projects that the caller can reach, newest first.", "GET",
     "/projects", kNone, "", true, false},
    {"create_project", "New project", "Creates a project in the token's workspace.", "POST",
     "/projects",
     R"("name":{"type":"string","minLength":1,"maxLength":100},"description":{"type":"string","maxLength":2000},"workspaceId":{"type":"string","description":"only with a session; a token has its own workspace"})",
     R"("name")", false, false},
    {"get_project", "Project", "A project, what is live, and how its last applies ended.", "GET",
     "/projects/:project", kNone, "", true, false},
    {"update_project", "Change a project", "Changes the project's name or description.", "PATCH",
     "/projects/:project",
     R"("name":{"type":"string","minLength":1,"maxLength":100},"description":{"type":"string","maxLength":2000})",
     "", false, false},
    {"get_contract", "Contract",
     "The contract that was applied last. Seeds are left out unless seeds is true. With seeds or "
     "version, the answer also has the version, which a change sends as its baseVersion.",
     "GET", "/projects/:project/contract",
     R"("seeds":{"type":"boolean","description":"include the seeds"},"version":{"type":"integer","minimum":1,"description":"an earlier version"})",
     "", true, false},
    {"merge_contract", "Merge a contract",
     "Merges the caller's contract, which started from baseVersion, with the live contract. "
     "Changes nothing: apply the contract of the answer, with its version as baseVersion. The "
     "contract of the answer is null where both changed the same thing, unless prefer says whose "
     "change counts.",
     "POST", "/projects/:project/contract/merge",
     R"("contract":{"type":"object","description":"the caller's whole contract"},"baseVersion":{"type":"integer","minimum":0},"prefer":{"type":"string","enum":["mine","theirs"]})",
     R"("contract","baseVersion")", true, false},
    {"get_client", "Typed client", "The files of the typed client (TypeScript) for the live app.",
     "GET", "/projects/:project/client", kNone, "", true, false},
    {"get_openapi", "OpenAPI", "The OpenAPI document of the live app's data API.", "GET",
     "/projects/:project/openapi", kNone, "", true, false},
    {"check_contract", "Check a contract",
     "All errors and warnings of a contract, with their places and fixes. Changes nothing.", "POST",
     "/projects/:project/check",
     R"("contract":{"type":"object","description":"the whole contract"},"pages":{"type":"boolean","description":"also answer the standard pages, as \"pages\" of a contract would say them"})",
     R"("contract")", true, false},
    {"apply_contract", "Apply a contract",
     "Builds the contract and makes it live on dev. Changes the database to match and keeps the "
     "rows. With dryRun, only reports what would change.",
     "POST", "/projects/:project/apply",
     R"("contract":{"type":"object","description":"the whole contract; seeds may be the text UNCHANGED"},"baseVersion":{"type":"integer","minimum":0,"description":"the version that the contract started from; the call is refused if another version is live"},"dryRun":{"type":"boolean"},"force":{"type":"boolean","description":"overwrite generated files that were edited by hand"})",
     R"("contract")", false, true},
    {"patch_contract", "Patch the contract",
     "Edits the live contract by operations and applies the result, all or nothing.", "POST",
     "/projects/:project/patch",
     R"("edits":{"type":"array","minItems":1,"maxItems":50,"items":{"type":"object","properties":{"op":{"type":"string"}},"required":["op"]}},"baseVersion":{"type":"integer","minimum":0,"description":"the version that the edits start from; the call is refused if another version is live"},"dryRun":{"type":"boolean"},"force":{"type":"boolean"})",
     R"("edits")", false, true},
    {"check_component", "Check a component",
     "Checks one component (TSX) against the live app: whether it uses only what is allowed, "
     "whether its types fit, and whether it compiles and renders with its sample. Changes nothing.",
     "POST", "/projects/:project/components/check",
     R"("name":{"type":"string","description":"name of the default export"},"source":{"type":"string","maxLength":200000},"sample":{"type":"object","description":"props to render it with"})",
     R"("name","source")", true, false},
    {"take_screenshot", "Screenshot",
     "Opens a page of the dev app in a browser and returns its picture, its errors, how much wider "
     "than the window it is, and its visible text.",
     "POST", "/projects/:project/screenshot",
     R"("route":{"type":"string","description":"page of the app; the default is /"},"as":{"type":"string","description":"a persona, the address of an account, or guest, which is the default"},"width":{"type":"integer","minimum":320,"maximum":1600},"height":{"type":"integer","minimum":480,"maximum":1200},"fullPage":{"type":"boolean"},"colorScheme":{"type":"string","enum":["light","dark"]})",
     "", true, false},
    {"verify", "Verify",
     "Tests the app on a copy of its dev database, its pages in a browser too, and reports the "
     "results. The first time it may take minutes. If the call is given up, the next one goes on.",
     "POST", "/projects/:project/verify", kNone, "", true, false},
};

}  // namespace

std::span<const Operation> contract_operations() { return kContractOperations; }

}  // namespace svc::devapi
