#include "routes/take_lease.hpp"

namespace svc::devapi {

std::unique_ptr<Lease> take_lease(Context& context, const Request& request, const Purpose& purpose,
                                  Response& response) {
    const Project& project = *request.project;
    auto lease = context.apps.take({project.id, project.slug}, purpose);
    if (!lease)
        response.refuse(DevCode::project_busy,
                        "Another build of this project is running. Try again.");
    return lease;
}

}  // namespace svc::devapi
