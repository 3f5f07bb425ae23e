#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/read_file.hpp"
#include "base/sha256.hpp"
#include "pipeline.hpp"

namespace svc::pipeline {
namespace {

namespace fs = std::filesystem;
using Digests = std::map<std::string, std::string>;  // by path

constexpr const char* kManifest = "manifest.json";
constexpr const char* kFiles = "files";
// Digests of files that are being written: each file may have this digest already, or still the one
// under "files".
constexpr const char* kWriting = "writing";
constexpr const char* kStaging = ".writing";

// A generated path stays below the folder, and has only one spelling.
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

bool is_there(const fs::path& path, const std::string& text) {
    std::error_code error;
    return fs::is_regular_file(fs::symlink_status(path, error)) &&
           fs::file_size(path, error) == text.size() && !error && base::read_file(path) == text;
}

// The folder in which files are written before they are renamed. Files that a killed process left
// there are in no manifest, and are removed.
class StagingFolder {
  public:
    explicit StagingFolder(const fs::path& folder) : folder_(folder / kStaging) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~StagingFolder() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    StagingFolder(const StagingFolder&) = delete;
    StagingFolder& operator=(const StagingFolder&) = delete;
    fs::path next() { return folder_ / std::to_string(++count_); }

  private:
    const fs::path folder_;
    unsigned count_ = 0;
};

// Whole or not at all: a reader never sees half a file.
void replace(const fs::path& path, const std::string& text, StagingFolder& staging) {
    fs::create_directories(path.parent_path());
    const fs::path next = staging.next();
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

// The files of the last write, with their digests. A malformed manifest names none.
Digests written_before(const fs::path& folder, const char* member = kFiles) {
    Digests paths;
    const auto manifest =
        nlohmann::json::parse(base::read_file(folder / kManifest).value_or(""), nullptr, false);
    if (!manifest.is_object() || !manifest.contains(member) || !manifest[member].is_object()) {
        return paths;
    }
    for (const auto& [path, digest] : manifest[member].items()) {
        if (stays_inside(path) && digest.is_string()) paths[path] = digest.get<std::string>();
    }
    return paths;
}

std::string text_of(const nlohmann::json& manifest) { return manifest.dump(2) + "\n"; }

// Removes the folders that it leaves empty, too.
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
    auto after = written_before(folder, kWriting);
    auto before = written_before(folder);
    for (const auto& [path, digest] : after) before.try_emplace(path, digest);
    for (const auto& [path, digest] : before) {
        const fs::path file = fs::path(folder) / path;
        if (!fs::exists(file)) continue;
        const std::string found = base::sha256_hex(base::read_file(file).value_or(""));
        if (found != digest && found != after[path]) edited.push_back(path);
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
    Digests digests;
    for (const auto& [path, text] : files) digests[path] = base::sha256_hex(text);
    Digests before = written_before(top);
    for (const auto& [path, digest] : written_before(top, kWriting)) {
        if (!before.contains(path) ||
            base::sha256_hex(base::read_file(top / path).value_or("")) == digest)
            before[path] = digest;
    }
    const std::string manifest = text_of({{kFiles, digests}});
    StagingFolder staging(top);
    // Said before it is done: what a kill leaves half written must not look edited by hand.
    if (!is_there(top / kManifest, manifest))
        replace(top / kManifest, text_of({{kFiles, before}, {kWriting, digests}}), staging);
    for (const auto& [path, text] : files) {
        if (!is_there(top / path, text)) replace(top / path, text, staging);
    }
    for (const auto& [path, digest] : before) {
        if (!files.contains(path)) remove(top, path);
    }
    // The manifest is written last, so every file that it names exists.
    if (!is_there(top / kManifest, manifest)) replace(top / kManifest, manifest, staging);
}

}  // namespace svc::pipeline
