#include "cli/config.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/files.hpp"

namespace svc::cli {
namespace {

using nlohmann::json;

constexpr const char* kUsualFile = "svc.json";

json parse_object(const std::filesystem::path& path, const std::string& text, const char* fix) {
    json object = json::parse(text, nullptr, false);
    if (!object.is_object()) {
        throw std::runtime_error(path.string() + " is not a JSON object. " + fix);
    }
    return object;
}

std::string plain_text(const json& object, const char* key) {
    const auto member = object.find(key);
    return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

// `baseVersion` is that of the usual file, `baseVersions` has the others'.
std::map<std::string, std::int64_t> bases_of(const json& object) {
    std::map<std::string, std::int64_t> out;
    const json others = object.value("baseVersions", json::object());
    for (const auto& [file, version] : others.items())
        if (version.is_number_integer()) out[file] = version.get<std::int64_t>();
    const json usual = object.value("baseVersion", json());
    if (usual.is_number_integer()) out[kUsualFile] = usual.get<std::int64_t>();
    return out;
}

}  // namespace

std::string from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::filesystem::path config_path() {
    if (const auto path = from_environment("SVC_CONFIG"); !path.empty()) return path;
    std::filesystem::path folder = from_environment("XDG_CONFIG_HOME");
    if (folder.empty()) folder = std::filesystem::path(from_environment("HOME")) / ".config";
    return folder / "svc" / "config.json";
}

Config read_config() {
    const auto path = config_path();
    const auto text = read_file(path);
    if (!text) return {};
    const json object = parse_object(path, *text, "Delete it and sign in again.");
    return {plain_text(object, "api"), plain_text(object, "token"), plain_text(object, "tokenId")};
}

void write_config(const Config& config) {
    json object = {{"api", config.api}};
    if (!config.token.empty()) object["token"] = config.token;
    if (!config.token_id.empty()) object["tokenId"] = config.token_id;
    write_file(config_path(), object.dump(2) + "\n", FileAccess::owner_only);
}

std::optional<ProjectLink> find_link(std::filesystem::path folder) {
    for (;; folder = folder.parent_path()) {
        const auto path = folder / ".svc" / "project.json";
        if (const auto text = read_file(path)) {
            const json object = parse_object(path, *text, "Link again: svc link <project-id>.");
            ProjectLink link{plain_text(object, "project"), plain_text(object, "name"),
                             bases_of(object), folder};
            if (link.project.empty()) {
                throw std::runtime_error(path.string() +
                                         " names no project. Link again: svc link <project-id>.");
            }
            return link;
        }
        if (folder == folder.root_path() || folder.empty()) return std::nullopt;
    }
}

void write_link(const std::filesystem::path& folder, const ProjectLink& link) {
    json object = {{"project", link.project}, {"name", link.name}};
    for (const auto& [file, version] : link.bases) {
        if (file == kUsualFile)
            object["baseVersion"] = version;
        else
            object["baseVersions"][file] = version;
    }
    write_file(folder / ".svc" / "project.json", object.dump(2) + "\n", FileAccess::usual);
}

std::optional<std::string> normal_api(std::string url) {
    const auto scheme = url.find("://");
    if (scheme == std::string::npos) return std::nullopt;
    const auto name = url.substr(0, scheme);
    if ((name != "http" && name != "https") || url.size() == scheme + 3) return std::nullopt;
    while (url.back() == '/') url.pop_back();
    if (url.size() <= scheme + 3) return std::nullopt;
    if (url.find('/', scheme + 3) == std::string::npos) url += "/dev/v1";
    return url;
}

}  // namespace svc::cli
