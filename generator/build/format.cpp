#include "build/format.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "base/read_file.hpp"
#include "base/sha256.hpp"
#include "build/cache.hpp"
#include "build/process.hpp"

namespace svc::build {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "/usr/bin/clang-format-14";
constexpr const char* kStyle =
    "{BasedOnStyle: Google, ColumnLimit: 100, IndentWidth: 4, AccessModifierOffset: -2, "
    "DerivePointerAlignment: false, PointerAlignment: Left, IncludeBlocks: Preserve}";

bool is_cpp(const std::string& path) { return path.ends_with(".cpp") || path.ends_with(".hpp"); }

// One process formats all files: starting it costs more than formatting a file.
void format_in(const std::string& folder, const std::vector<std::string>& names, bool sandbox) {
    std::vector<std::string> argv = {kProgram, "-i", std::string("--style=") + kStyle};
    argv.insert(argv.end(), names.begin(), names.end());
    Child child{argv, folder};
    child.sandbox = sandbox;
    child.writable = folder;
    run(child);
}

}  // namespace

emit::FileSet formatted(const emit::FileSet& files, const Settings& settings) {
    if (!fs::exists(kProgram)) return files;
    const std::string& cache_folder = settings.cache;
    const Cache cache(cache_folder);
    const WorkFolder work(cache);
    fs::create_directories(cache_folder + "/formatted");
    emit::FileSet out = files;
    std::vector<std::string> names;
    std::vector<std::string> paths;
    for (const auto& [path, text] : files) {
        if (!is_cpp(path)) continue;
        const std::string key = base::sha256_hex_of({kStyle, text});
        if (auto known = base::read_file(cache_folder + "/formatted/" + key)) {
            out[path] = std::move(*known);
            continue;
        }
        names.push_back(key + ".cpp");
        paths.push_back(path);
        std::ofstream(fs::path(work.path()) / names.back(), std::ios::binary) << text;
    }
    if (names.empty()) return out;
    format_in(work.path(), names, sandboxed(settings.sandbox));
    for (std::size_t i = 0; i < names.size(); ++i) {
        const fs::path file = fs::path(work.path()) / names[i];
        const fs::path kept = fs::path(cache_folder) / "formatted" / fs::path(names[i]).stem();
        Cache::install(file.string(), kept.string());
        if (auto text = base::read_file(kept)) out[paths[i]] = std::move(*text);
    }
    return out;
}

}  // namespace svc::build
