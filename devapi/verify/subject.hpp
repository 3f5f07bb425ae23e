// The verified app, and the services that every check uses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/apply/apply.hpp"
#include "model/model.hpp"
#include "plan/plan.hpp"
#include "verify/clone/clone.hpp"
#include "verify/clone/clone_connection.hpp"
#include "verify/verify.hpp"
#include "verify/verify_caller.hpp"

namespace svc::devapi::verification {

class AppServer;

struct Subject {
    const ApplyServices& services;
    const ProjectRef& project;
    Browser& browser;
    const VerifyOptions& options;
    const ContractRecord& record;
    const model::Model& model;
    const plan::Plan& plan;
    const std::vector<VerifyCaller>& callers;
    const Clone& clone;
    CloneConnection& connection;        // to the clone
    std::unique_ptr<AppServer> server;  // once it was started
};

struct CheckStep {
    const char* name;
    void (*run)(Subject& subject, VerifyCheck& out);
};

// Reports that a check cannot run here.
void not_run(VerifyCheck& check, std::string why);
// The same because the app server of the subject did not start.
void not_served(VerifyCheck& check);

// In the order in which they run.
void check_schema(Subject& subject, VerifyCheck& out);  // the dev database follows its contract
void check_seeds(Subject& subject, VerifyCheck& out);   // again, and in an empty database

void check_access(Subject& subject, VerifyCheck& out);      // who reaches which rows
void check_fields(Subject& subject, VerifyCheck& out);      // who may write which fields
void check_rules(Subject& subject, VerifyCheck& out);       // rules refuse what they must
void check_lifecycles(Subject& subject, VerifyCheck& out);  // transitions
void check_restores(Subject& subject, VerifyCheck& out);    // deleted rows
void check_statements(Subject& subject, VerifyCheck& out);  // plans of the server's statements
void check_server(Subject& subject, VerifyCheck& out);      // the binary serves the clone
void check_queries(Subject& subject, VerifyCheck& out);     // named queries, over HTTP
void check_search(Subject& subject, VerifyCheck& out);      // full-text search, over HTTP
void check_openapi(Subject& subject, VerifyCheck& out);     // the document, and that it is true
void check_topics(Subject& subject, VerifyCheck& out);      // who publishes and listens where
void check_feeds(Subject& subject, VerifyCheck& out);       // changes of rows that listeners get
void check_history(Subject& subject, VerifyCheck& out);     // the history of rows
void check_functions(Subject& subject, VerifyCheck& out);   // who may call them, what they do
void check_workflows(Subject& subject, VerifyCheck& out);   // what their runs do
void check_external(Subject& subject, VerifyCheck& out);    // rows of other databases: out of reach
void check_pages(Subject& subject, VerifyCheck& out);
void check_components(Subject& subject, VerifyCheck& out);  // at their gates
void check_browser(Subject& subject, VerifyCheck& out);     // pages in a real browser

}  // namespace svc::devapi::verification
