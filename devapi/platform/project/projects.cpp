#include "platform/project/projects.hpp"

#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "base/uuid.hpp"
#include "platform/project/domains.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kLongestSlug = 40;
constexpr const char* kReach =
    "select p.id, p.name, p.slug, p.description, p.workspace_id, iso(p.updated_at), m.role, "
    "p.rate_browser, p.rate_server, w.require_mfa "
    "from project p join member m on m.workspace_id = p.workspace_id and m.user_id = $1 "
    "join workspace w on w.id = p.workspace_id "
    "where (nullif($2, '')::uuid is null or p.workspace_id = nullif($2, '')::uuid) ";

std::string reach(const char* more) {
    std::string query = kReach;
    return query.append(more);
}

std::optional<int> number_or_none(const pqxx::field& field) {
    return field.is_null() ? std::nullopt : std::optional<int>(field.as<int>());
}

const char* sql_text(const std::optional<std::string>& text) {
    return text ? text->c_str() : nullptr;
}

Project project_of(const pqxx::row& row) {
    return {row[0].c_str(),
            row[1].c_str(),
            row[2].c_str(),
            row[3].c_str(),
            row[4].c_str(),
            row[5].c_str(),
            parse_role(row[6].c_str()),
            number_or_none(row[7]),
            number_or_none(row[8]),
            row[9].as<bool>()};
}

// The slug with a number at its end, from the second try on.
std::string numbered(const std::string& slug, int attempt) {
    if (attempt == 1) return slug;
    const std::string tail = "-" + std::to_string(attempt);
    return slug.substr(0, kLongestSlug - tail.size()) + tail;
}

}  // namespace

std::string slug_of(const std::string& name) {
    std::string slug;
    for (char c : name) {
        c = base::lower(c);
        const bool plain = base::is_lower(c) || base::is_digit(c);
        if (plain)
            slug += c;
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    if (slug.starts_with("preview-")) slug = "app-" + slug;
    slug = slug.substr(0, kLongestSlug);
    while (!slug.empty() && slug.back() == '-') slug.pop_back();
    return slug.empty() ? "app" : slug;
}

std::vector<Project> list_projects(Store& store, const Caller& caller) {
    return store.transact([&](pqxx::work& tx) {
        std::vector<Project> out;
        for (const auto& row :
             tx.exec_params(reach("and ($3::boolean or not w.require_mfa) "
                                  "order by p.created_at desc, p.id desc limit 200"),
                            caller.user_id, caller.workspace_id, caller.second_factor))
            out.push_back(project_of(row));
        return out;
    });
}

std::optional<Project> find_project(Store& store, const Caller& caller, const std::string& id) {
    if (!base::is_uuid(id)) return std::nullopt;
    return store.transact([&](pqxx::work& tx) -> std::optional<Project> {
        const auto rows =
            tx.exec_params(reach("and p.id = $3"), caller.user_id, caller.workspace_id, id);
        if (rows.empty()) return std::nullopt;
        return project_of(rows[0]);
    });
}

Project create_project(Store& store, const Caller& caller, const NewProject& wanted) {
    const std::string id = base::new_uuid(), slug = slug_of(wanted.name);
    store.transact([&](pqxx::work& tx) {
        for (int attempt = 1;; ++attempt) {
            const auto rows = tx.exec_params(
                "insert into project (id, workspace_id, name, slug, description, created_by) "
                "select $1::uuid, $2::uuid, $3, $4::text, $5, $6::uuid where not exists "
                "(select from project where slug || '-preview' = $4) "
                "on conflict (slug) do nothing returning id",
                id, wanted.workspace_id, wanted.name, numbered(slug, attempt), wanted.description,
                caller.user_id);
            if (!rows.empty()) return;
        }
    });
    return *find_project(store, caller, id);
}

void update_project(Store& store, const std::string& id, const ProjectChange& change) {
    // 0 means svcd's own setting.
    const auto limit = [](const std::optional<std::optional<int>>& wanted) {
        return wanted ? std::optional(std::to_string(wanted->value_or(0))) : std::nullopt;
    };
    const auto browser = limit(change.rate_browser), server = limit(change.rate_server);
    store.transact([&](pqxx::work& tx) {
        if (change.domains) set_domains(tx, id, *change.domains);
        tx.exec_params(
            "update project set name = coalesce($2, name), description = coalesce($3, "
            "description), rate_browser = nullif(coalesce($4::int, rate_browser), 0), "
            "rate_server = nullif(coalesce($5::int, rate_server), 0), updated_at = now() "
            "where id = $1",
            id, sql_text(change.name), sql_text(change.description), sql_text(browser),
            sql_text(server));
    });
}

}  // namespace svc::devapi
