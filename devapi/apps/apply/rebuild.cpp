#include "apps/apply/apply.hpp"
#include "apps/database/database.hpp"
#include "apps/process/app_places.hpp"
#include "apps/process/binaries.hpp"
#include "pipeline.hpp"

namespace svc::devapi {

void rebuild(const ApplyServices& services, const ProjectRef& project, Env env,
             const ContractRecord& record) {
    std::string error;
    try {
        const AppId app{project.id, env};
        const auto checked = pipeline::check(record.contract, proving_again(services.config));
        if (!checked.plan) throw std::runtime_error("the recorded contract is no longer accepted");
        const auto files = pipeline::emit_all(*checked.plan, services.config.build);
        const auto built = build::compile(files, services.config.build);
        if (!built.ok)
            throw std::runtime_error(std::string(base::word(built.stage)) + ": " + built.error);
        const auto database = app_database(services.config, project.id, app.second);
        const std::string binary = keep_binary(
            built.binary, project_folder(services.config, project.id, app.second) + "/bin");
        record_binary(database, binary);
        services.supervisor.resume(app, make_launch(services.config, project, env, database, binary,
                                                    site_of(services.store, project, env)));
    } catch (const std::exception& failure) {
        error = failure.what();
    }
    if (error.empty()) return;
    services.states.change(AppId(project.id, env), [&error](AppState& state) {
        state.last_error = "The app's program was lost and could not be built again: " + error;
    });
}

}  // namespace svc::devapi
