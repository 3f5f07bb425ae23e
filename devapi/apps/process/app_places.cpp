#include "apps/process/app_places.hpp"

namespace svc::devapi {

std::string project_folder(const AppsConfig& config, const std::string& project, Env env) {
    return config.home + "/projects/" + project + "/" + name(env);
}

std::string files_folder(const std::string& home, const std::string& project, Env env) {
    return home + "/files/" + project + "/" + name(env);
}

std::string requests_file(const AppsConfig& config, const std::string& project, Env env) {
    return socket_stem(config, project, env) + ".requests";
}

std::string sockets_folder(const AppsConfig& config) { return config.home + "/run/apps/"; }

std::string socket_stem(const AppsConfig& config, const std::string& project, Env env) {
    const std::string folder = sockets_folder(config) + short_id(project);
    if (env == Env::verify) return folder + "y/";  // of another user
    // A letter each, for the room that a socket's path has.
    return folder + (env == Env::dev ? "/d" : env == Env::prod ? "/p" : "/v");
}

}  // namespace svc::devapi
