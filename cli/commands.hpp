// One function for each command family: it adds its commands, and each of them sets `chosen` to its
// work.
#pragma once

#include <functional>

#include "cli/context.hpp"

namespace CLI {
class App;
}

namespace svc::cli {

using Action = std::function<int(CliContext&)>;  // the exit code

// Work starts after the whole command line has been read: global flags may follow the command.
void add_account_commands(CLI::App& app, Action& chosen);   // login logout whoami
void add_mfa_commands(CLI::App& app, Action& chosen);       // mfa
void add_project_commands(CLI::App& app, Action& chosen);   // projects create link
void add_status_command(CLI::App& app, Action& chosen);     // status
void add_contract_commands(CLI::App& app, Action& chosen);  // pull check
void add_apply_command(CLI::App& app, Action& chosen);      // apply
void add_patch_command(CLI::App& app, Action& chosen);      // patch
void add_deploy_commands(CLI::App& app, Action& chosen);    // deploy deploys preview
void add_snapshot_commands(CLI::App& app, Action& chosen);  // snapshots
void add_verify_command(CLI::App& app, Action& chosen);     // verify
void add_data_commands(CLI::App& app, Action& chosen);      // query
void add_sql_command(CLI::App& app, Action& chosen);        // sql
void add_row_commands(CLI::App& app, Action& chosen);       // rows schema
void add_watch_commands(CLI::App& app, Action& chosen);     // logs tail
void add_run_commands(CLI::App& app, Action& chosen);       // run workflows
void add_held_commands(CLI::App& app, Action& chosen);      // held
void add_hook_commands(CLI::App& app, Action& chosen);      // hooks
void add_ai_commands(CLI::App& app, Action& chosen);        // ai
void add_pay_commands(CLI::App& app, Action& chosen);       // pay
void add_files_commands(CLI::App& app, Action& chosen);     // files
void add_topic_commands(CLI::App& app, Action& chosen);     // topics
// mail sign-in demo-reset mcp-config
void add_people_commands(CLI::App& app, Action& chosen);
void add_pages_command(CLI::App& app, Action& chosen);  // pages
// screenshot
void add_screenshot_command(CLI::App& app, Action& chosen);
// completion man: `app` as it is when they run
void add_manual_commands(CLI::App& app, Action& chosen);
void add_secret_commands(CLI::App& app, Action& chosen);     // secrets
void add_domain_commands(CLI::App& app, Action& chosen);     // domains
void add_audit_command(CLI::App& app, Action& chosen);       // audit
void add_key_commands(CLI::App& app, Action& chosen);        // keys
void add_token_commands(CLI::App& app, Action& chosen);      // tokens
void add_member_commands(CLI::App& app, Action& chosen);     // members
void add_live_file_commands(CLI::App& app, Action& chosen);  // client openapi
void add_help_commands(CLI::App& app, Action& chosen);       // docs version

}  // namespace svc::cli
