#include "apps/site.hpp"

#include "platform/project/domains.hpp"

namespace svc::devapi {

Site site_of(Store& store, const ProjectRef& project, Env env) {
    if (env == Env::dev) return {"preview-" + project.slug, {}};
    return store.transact([&](pqxx::work& tx) {
        Site site;
        for (const auto& row :
             tx.exec_params("select name from subdomain where project_id = $1 and env = $2 "
                            "order by live, name limit 1",
                            project.id, name(env)))
            site.label = row[0].c_str();
        if (env != Env::prod) return site;
        site.domains = proven_hosts(tx, project.id);
        return site;
    });
}

}  // namespace svc::devapi
