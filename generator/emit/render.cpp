#include "emit/render.hpp"

#include "emit/data/data.hpp"
#include "emit/fill.hpp"
#include "emit/openapi/openapi.hpp"
#include "emit/page/site.hpp"
#include "emit/sql/flows_sql.hpp"
#include "emit/sql/schema_sql.hpp"
#include "emit/templates.hpp"

namespace svc::emit {
namespace {

struct File {
    const char* path;
    const char* template_name;
};

// Names with a second dot, or of files that nothing below a folder includes: an entity's or a
// query's is never found in their stead.
constexpr File kAppFiles[] = {
    {"app.hpp", "app.hpp.mustache"},
    {"main.cpp", "main.cpp.mustache"},
    {"app.principals.hpp", "principals.hpp.mustache"},
    {"routes.cpp", "routes.cpp.mustache"},
};

// <name> is the entity's.
constexpr File kEntityFiles[] = {
    {".cpp", "entity.cpp.mustache"},
    {".hpp", "entity.hpp.mustache"},
};

// <name> is the query's, with its folders.
constexpr File kQueryFiles[] = {
    {".cpp", "query.cpp.mustache"},
    {".hpp", "query.hpp.mustache"},
};

constexpr File kClientFiles[] = {
    {"client/index.ts", "client_index.ts.mustache"},
    {"client/schema.ts", "client_schema.ts.mustache"},
};

// Files of the client that are the same for every app.
constexpr const char* kClientSources[] = {
    "aggregate.ts", "ai.ts",     "auth.ts",  "client.ts", "files.ts",         "filter.ts",
    "flows.ts",     "frames.ts", "http.ts",  "live.ts",   "notifications.ts", "pay.ts",
    "select.ts",    "stream.ts", "table.ts", "topics.ts", "types.ts"};

void put_client(const plan::Plan& plan, FileSet& files) {
    const Data data = client_data(plan);
    for (const File& file : kClientFiles) files[file.path] = fill(file.template_name, data);
    for (const std::string name : kClientSources) files["client/" + name] = embedded(name);
}

}  // namespace

FileSet render(const plan::Plan& plan) {
    FileSet files;
    const Data app = app_data(plan);
    for (const File& file : kAppFiles) files[file.path] = fill(file.template_name, app);
    for (const plan::ServedEntity& entity : plan.entities) {
        const Data data = entity_data(plan, entity);
        for (const File& file : kEntityFiles) {
            files["entities/" + entity.name + file.path] = fill(file.template_name, data);
        }
    }
    for (const plan::Query& query : plan.queries) {
        const Data data = query_data(plan, query);
        for (const File& file : kQueryFiles) {
            files["queries/" + query.name + file.path] = fill(file.template_name, data);
        }
    }
    if (!plan.topics.empty()) {
        files["topics.cpp"] = fill("topics.cpp.mustache", topics_data(plan));
    }
    if (!plan.flows.all.empty()) {
        files["flows.cpp"] = fill("flows.cpp.mustache", flows_data(plan));
        files["flows.sql"] = flows_sql(plan);
    }
    files["pages.cpp"] = site_source(plan);
    files["schema.sql"] = schema_sql(plan);
    put_client(plan, files);
    std::string& document = files["openapi.json"];
    document = openapi(plan);
    files["openapi.cpp"] = openapi_source(plan, document);
    return files;
}

}  // namespace svc::emit
