#include "apps/backups.hpp"

#include <ctime>
#include <filesystem>

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

std::string now_in_utc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
    return text;
}

}  // namespace

void keep_copies(const std::string& folder, const std::vector<std::string>& files,
                 const std::string& backups) {
    if (files.empty()) return;
    const fs::path target = fs::path(backups) / now_in_utc();
    for (const std::string& file : files) {
        fs::create_directories((target / file).parent_path());
        fs::copy_file(fs::path(folder) / file, target / file, fs::copy_options::overwrite_existing);
    }
}

}  // namespace svc::devapi
