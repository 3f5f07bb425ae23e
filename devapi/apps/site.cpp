#include "apps/site.hpp"

namespace svc::devapi {

Site site_of(Store& store, const ProjectRef& project, const std::string& env) {
    if (env == "dev") return {"preview-" + project.slug, {}};
    return store.transact([&](pqxx::work& tx) {
        Site site;
        for (const auto& row :
             tx.exec_params("select name from subdomain where project_id = $1 and env = $2 "
                            "order by live, name limit 1",
                            project.id, env))
            site.label = row[0].c_str();
        if (env != "prod") return site;
        for (const auto& row : tx.exec_params(
                 "select host from project_domain where project_id = $1 order by host", project.id))
            site.domains.emplace_back(row[0].c_str());
        return site;
    });
}

}  // namespace svc::devapi
