#include "apps/process/binaries.hpp"

#include <filesystem>
#include <system_error>

namespace svc::devapi {

namespace fs = std::filesystem;

bool is_there(const std::string& binary) {
    std::error_code error;
    const auto size = fs::file_size(binary, error);
    return !error && size > 0;
}

std::string keep_binary(const std::string& built, const std::string& folder) {
    fs::create_directories(folder);
    const fs::path kept = fs::path(folder) / fs::path(built).filename();
    if (is_there(kept.string())) return kept.string();
    fs::remove(kept);
    std::error_code failed;
    fs::create_hard_link(built, kept, failed);
    if (failed) {  // the cache is on another disk
        const fs::path fresh = kept.string() + ".new";
        fs::copy_file(built, fresh, fs::copy_options::overwrite_existing);
        fs::rename(fresh, kept);
    }
    return kept.string();
}

void drop_binaries(const std::string& folder, const std::set<std::string>& kept) {
    std::error_code ignored;  // what stays costs room, nothing else
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (!kept.contains(entry.path().string())) fs::remove(entry.path(), ignored);
    }
}

}  // namespace svc::devapi
