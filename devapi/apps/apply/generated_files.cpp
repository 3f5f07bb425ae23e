#include "apps/apply/generated_files.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/read_file.hpp"
#include "base/time/utc.hpp"
#include "pipeline.hpp"

namespace svc::devapi {
namespace {

namespace fs = std::filesystem;

// Makes a new folder: a backup never replaces an earlier one.
fs::path fresh_folder(const fs::path& backups) {
    fs::create_directories(backups);
    const std::string time = base::utc_compact(std::time(nullptr));
    fs::path folder = backups / time;
    for (int n = 2; !fs::create_directory(folder); ++n)
        folder = backups / (time + "-" + std::to_string(n));
    return folder;
}

void keep_copies(const fs::path& folder, const std::vector<std::string>& files,
                 const fs::path& backups) {
    if (files.empty()) return;
    const fs::path target = fresh_folder(backups);
    for (const std::string& file : files) {
        fs::create_directories((target / file).parent_path());
        fs::copy_file(folder / file, target / file);
    }
}

// Checked just before the files are written: somebody may have changed one since the apply began.
std::vector<std::string> lost_by_writing(const fs::path& folder, const emit::FileSet& files) {
    std::vector<std::string> edited = pipeline::hand_edited(folder);
    std::erase_if(edited, [&](const std::string& path) {
        const auto next = files.find(path);
        return next != files.end() && base::read_file(folder / path) == next->second;
    });
    return edited;
}

}  // namespace

void write_generated(const std::string& folder, const emit::FileSet& files,
                     const std::string& contract) {
    const fs::path generated = fs::path(folder) / "generated";
    fs::create_directories(generated);
    keep_copies(generated, lost_by_writing(generated, files), fs::path(folder) / "backups");
    pipeline::write(files, generated);
    const fs::path fresh = generated / "svc.json.new";
    std::ofstream(fresh, std::ios::binary) << contract;
    fs::rename(fresh, generated / "svc.json");
}

}  // namespace svc::devapi
