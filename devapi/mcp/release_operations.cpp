// Operations on deployments, snapshots, domains and secrets.
#include "mcp/operation_families.hpp"

namespace svc::devapi {
namespace {

constexpr Operation kReleaseOperations[] = {
    {"deploy", "Deploy",
     "Verifies what is live on dev and publishes it to prod. With preview, publishes to a separate "
     "environment.",
     "POST", "/projects/:project/deploy",
     R"("subdomain":{"type":"string"},"skipVerify":{"type":"boolean"},"preview":{"type":"boolean"},"dryRun":{"type":"boolean"})",
     "", false, true},
    {"list_snapshots", "Snapshots", "The copies of the database.", "GET",
     "/projects/:project/snapshots", kEnv, "", true, false},
    {"create_snapshot", "Take a snapshot", "Copies the database of an environment (default prod).",
     "POST", "/projects/:project/snapshots",
     R"("env":{"type":"string","enum":["dev","prod"]},"note":{"type":"string"})", "", false, false},
    {"restore_snapshot", "Restore a snapshot",
     "Replaces the database with a snapshot. Takes a snapshot of the current database first.",
     "POST", "/projects/:project/snapshots/:snapshot/restore", kNone, "", false, true},
    {"list_deploys", "Deploys", "The deployments, newest first.", "GET",
     "/projects/:project/deploys",
     R"("limit":{"type":"integer","minimum":1,"maximum":200},"preview":{"type":"boolean"})", "",
     true, false},
    {"delete_preview", "Delete the preview",
     "Ends the preview environment. Its server stops; its rows and its name are deleted.", "DELETE",
     "/projects/:project/preview", kNone, "", false, true},
    {"roll_back", "Roll back", "Makes an earlier deployment live again. Rows stay as they are.",
     "POST", "/projects/:project/deploys/:deployment/rollback", kNone, "", false, true},
    {"add_domain", "Add a domain",
     "Adds a host of the project's own. The answer says which TXT record proves it.", "PUT",
     "/projects/:project/domains/:host", kNone, "", false, false},
    {"remove_domain", "Remove a domain", "Removes a host, which then no longer leads to prod.",
     "DELETE", "/projects/:project/domains/:host", kNone, "", false, true},
    {"verify_domain", "Verify a domain",
     "Looks up the TXT record that proves that a host belongs to the project.", "POST",
     "/projects/:project/domains/:host/verify", kNone, "", false, false},
    {"list_secrets", "Secrets", "Names of the project's secrets, never their values.", "GET",
     "/projects/:project/secrets", kNone, "", true, false},
    {"set_secret", "Keep a secret", "Stores a secret value under a name.", "PUT",
     "/projects/:project/secrets/:name",
     R"("value":{"type":"string","minLength":1,"maxLength":10000},"env":{"type":"string","enum":["dev","prod","all"]},"hosts":{"type":"array","items":{"type":"string"},"description":"the hosts that may get the secret"})",
     R"("value")", false, true},
    {"allow_secret", "Allow a secret a host",
     "Allows a secret to be sent to more hosts. Its value stays the same.", "PATCH",
     "/projects/:project/secrets/:name",
     R"("allow":{"type":"array","items":{"type":"string"},"minItems":1},"env":{"type":"string","enum":["dev","prod","all"]})",
     R"("allow")", false, false},
    {"delete_secret", "Forget a secret", "Deletes a secret, in one environment or in all.",
     "DELETE", "/projects/:project/secrets/:name",
     R"("env":{"type":"string","enum":["dev","prod","all"]})", "", false, true},
};

}  // namespace

std::span<const Operation> release_operations() { return kReleaseOperations; }

}  // namespace svc::devapi
