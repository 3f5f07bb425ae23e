// The families of routes, a file each. Each call adds its lines to the table.
#pragma once

#include "calls/context.hpp"
#include "http/route_table.hpp"

namespace svc::devapi {

// Whole paths.
void bind_pages(RouteTable& table);  // /, /healthz, /readyz, /metrics
void bind_setup(RouteTable& table);  // /setup

// The page /join, and /join of the API.
void bind_join(RouteTable& pages, RouteTable& table);
void bind_passkey_page(RouteTable& pages);  // /passkeys

// Below the base of the developer API.
void bind_account(RouteTable& table);     // /session, /me, /docs
void bind_mfa(RouteTable& table);         // /mfa
void bind_passkeys(RouteTable& table);    // /mfa/passkeys
void bind_tokens(RouteTable& table);      // /tokens
void bind_workspaces(RouteTable& table);  // /workspaces
void bind_demands(RouteTable& table);     // /workspaces/…
void bind_audit(RouteTable& table);       // /workspaces/…/audit
// The page /cli-login, and /cli/login of the API.
void bind_sign_in(RouteTable& pages, RouteTable& table);
void bind_projects(RouteTable& table);     // /projects
void bind_domains(RouteTable& table);      // …/domains
void bind_contract(RouteTable& table);     // …/contract, …/check
void bind_apply(RouteTable& table);        // …/apply
void bind_verify(RouteTable& table);       // …/verify
void bind_deploy(RouteTable& table);       // …/deploy
void bind_deployments(RouteTable& table);  // …/deploys, …/preview
void bind_snapshots(RouteTable& table);    // …/snapshots
void bind_patch(RouteTable& table);        // …/patch
void bind_keys(RouteTable& table);         // …/keys, …/preview-token
void bind_secrets(RouteTable& table);      // …/secrets
void bind_data(RouteTable& table);         // …/data/query
void bind_people(RouteTable& table);       // …/mail, …/sign-in
void bind_sql(RouteTable& table);          // …/sql
void bind_rows(RouteTable& table);         // …/rows
void bind_history(RouteTable& table);      // …/rows/<table>/<id>/history
void bind_schema(RouteTable& table);       // …/schema
void bind_held(RouteTable& table);         // …/held
void bind_hooks(RouteTable& table);        // …/hooks, …/deliveries
void bind_ai(RouteTable& table);           // …/ai/usage
void bind_payments(RouteTable& table);     // …/payments
void bind_files(RouteTable& table);        // …/files
void bind_workflows(RouteTable& table);    // …/logs, …/workflows, …/runs, …/dead-letters
void bind_tail(RouteTable& table);         // …/tail
void bind_topics(RouteTable& table);       // …/topics
void bind_demo(RouteTable& table);         // …/demo-reset
void bind_components(RouteTable& table);   // /components/check, …/components/check
void bind_screenshot(RouteTable& table);   // …/screenshot
// …/client, …/openapi
void bind_live_files(RouteTable& table);

// Below that base, and as a whole path.
void bind_mcp(RouteTable& table);  // /mcp

}  // namespace svc::devapi
