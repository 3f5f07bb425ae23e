// The files of the client: the sign-in of the user, and the project of the folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace svc::cli {

constexpr const char* kDefaultApi = "http://127.0.0.1:7878/dev/v1";

struct Config {
    std::string api;  // where the token was given; it is sent nowhere else
    std::string token;
    std::string
        token_id;  // set where `login` minted the token itself, so that `logout` may revoke it
};

// The value of an environment variable; empty if it is not set.
std::string from_environment(const char* name);

// SVC_CONFIG, or svc/config.json in the user's configuration folder.
std::filesystem::path config_path();

// Throws std::runtime_error where the file is not what write_config writes.
Config read_config();
void write_config(const Config& config);

struct ProjectLink {
    std::string project;
    std::string name;
    // The version of the live contract that a file comes from: what it was pulled from or applied
    // as. By the file's path from the linked folder.
    std::map<std::string, std::int64_t> bases = {};
    std::filesystem::path folder = {};  // if it was found
};

// .svc/project.json of this folder or the nearest one above it. Throws std::runtime_error where it
// names no project.
std::optional<ProjectLink> find_link(std::filesystem::path folder);
void write_link(const std::filesystem::path& folder, const ProjectLink& link);

// Base URL without a trailing slash; an origin alone gets the usual path. Nothing if it is not an
// http or https URL.
std::optional<std::string> normal_api(std::string url);

}  // namespace svc::cli
