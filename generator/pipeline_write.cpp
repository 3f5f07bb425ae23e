#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "hash/sha256.hpp"
#include "pipeline.hpp"

namespace svc::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";

// A path of ours stays below the folder, and is written in one way only.
bool stays_inside(const std::string& path) {
    const fs::path parts(path);
    if (path.empty() || parts.is_absolute() || path.back() == '/') return false;
    for (const auto& part : parts) {
        if (part == ".." || part == "." || part.empty()) return false;
    }
    return path.find("//") == std::string::npos && path.find('\0') == std::string::npos;
}

[[noreturn]] void fail(int error, const std::string& what) {
    throw std::system_error(error, std::generic_category(), what);
}

// Empty where there is none or it cannot be read.
std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool is_there(const fs::path& path, const std::string& text) {
    std::error_code error;
    return fs::is_regular_file(fs::symlink_status(path, error)) &&
           fs::file_size(path, error) == text.size() && !error && content(path) == text;
}

// Whole or not at all: a reader never sees half a file.
void replace(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    const fs::path next = path.string() + ".new." + std::to_string(getpid());
    errno = 0;
    std::ofstream file(next, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) {
        const int error = errno != 0 ? errno : EIO;
        std::error_code ignored;
        fs::remove(next, ignored);
        fail(error, path.string());
    }
    fs::rename(next, path);
}

// What we wrote the last time, with its digests. A manifest that is no manifest names nothing.
std::map<std::string, std::string> written_before(const fs::path& folder) {
    std::map<std::string, std::string> paths;
    const auto manifest = nlohmann::json::parse(content(folder / kManifest), nullptr, false);
    if (!manifest.is_object() || !manifest.contains("files") || !manifest["files"].is_object()) {
        return paths;
    }
    for (const auto& [path, digest] : manifest["files"].items()) {
        if (stays_inside(path) && digest.is_string()) paths[path] = digest.get<std::string>();
    }
    return paths;
}

// With the folders that it leaves empty.
void remove(const fs::path& folder, const std::string& path) {
    std::error_code error;
    fs::path gone = folder / path;
    fs::remove(gone, error);
    for (gone = gone.parent_path(); gone != folder && fs::is_empty(gone, error) && !error;
         gone = gone.parent_path()) {
        fs::remove(gone, error);
    }
}

}  // namespace

std::vector<std::string> hand_edited(const std::string& folder) {
    std::vector<std::string> edited;
    for (const auto& [path, digest] : written_before(folder)) {
        const fs::path file = fs::path(folder) / path;
        if (fs::exists(file) && hash::sha256(content(file)) != digest) edited.push_back(path);
    }
    return edited;
}

void write(const emit::FileSet& files, const std::string& folder) {
    for (const auto& [path, text] : files) {
        if (!stays_inside(path) || path == kManifest)
            fail(EINVAL, "not a path of a generated file: " + path);
    }
    const fs::path top = fs::absolute(folder).lexically_normal();
    fs::create_directories(top);
    nlohmann::json digests = nlohmann::json::object();  // sorted by path
    for (const auto& [path, text] : files) {
        if (!is_there(top / path, text)) replace(top / path, text);
        digests[path] = hash::sha256(text);
    }
    for (const auto& [path, digest] : written_before(top)) {
        if (!files.contains(path)) remove(top, path);
    }
    // Last: whoever finds it finds all that it names.
    const std::string manifest = nlohmann::json{{"files", digests}}.dump(2) + "\n";
    if (!is_there(top / kManifest, manifest)) replace(top / kManifest, manifest);
}

}  // namespace svc::pipeline
