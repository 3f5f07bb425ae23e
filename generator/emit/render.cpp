#include "emit/render.hpp"

#include <stdexcept>

#include "emit/data.hpp"
#include "emit/schema_sql.hpp"
#include "emit/templates.hpp"

namespace svc::emit {
namespace {

std::string fill(const char* template_name, const Data& data) {
    kainjow::mustache::mustache page{std::string(embedded(template_name))};
    if (!page.is_valid()) {
        throw std::logic_error(std::string(template_name) + ": " + page.error_message());
    }
    page.set_custom_escape([](const std::string& text) { return text; });
    return page.render(data);
}

struct File {
    const char* path;
    const char* template_name;
};

constexpr File kAppFiles[] = {
    {"app.hpp", "app.hpp.mustache"},
    {"main.cpp", "main.cpp.mustache"},
    {"principals.hpp", "principals.hpp.mustache"},
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
    files["schema.sql"] = schema_sql(plan);
    return files;
}

}  // namespace svc::emit
