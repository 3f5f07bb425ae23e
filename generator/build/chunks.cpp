#include "build/chunks.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/sha256.hpp"

namespace svc::build {
namespace {

constexpr std::size_t kMostSources = 8;
constexpr unsigned kUsualSources = 6;
constexpr std::string_view kInclude = "#include \"", kEmbedded = ".incbin \"";

std::string with_extension(const std::string& path, const char* extension) {
    return std::filesystem::path(path).replace_extension(extension).string();
}

// The names after `mark` in a source, resolved beside it or from the top.
std::vector<std::string> named_behind(std::string_view mark, const emit::FileSet& files,
                                      const std::string& path) {
    std::vector<std::string> names;
    const std::string& text = files.at(path);
    const auto folder = std::filesystem::path(path).parent_path();
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        at += mark.size();
        const std::string name = text.substr(at, text.find('"', at) - at);
        const std::string beside = (folder / name).lexically_normal().string();
        if (files.contains(beside)) {
            names.push_back(beside);
        } else if (files.contains(name)) {
            names.push_back(name);
        }
    }
    return names;
}

void reach(const emit::FileSet& files, const std::string& path, std::set<std::string>& reached) {
    if (!reached.insert(path).second) return;
    for (const auto& name : named_behind(kInclude, files, path)) reach(files, name, reached);
    for (auto& name : embedded_by(files, path)) reached.insert(std::move(name));
}

std::string key_of(const emit::FileSet& files, const std::vector<std::string>& sources,
                   const std::string& base) {
    std::set<std::string> reached;
    std::string digest = base;
    for (const auto& source : sources) {
        reach(files, source, reached);
        digest += '\n' + source;
    }
    for (const auto& path : reached) digest = base::sha256_hex_of({digest, path, files.at(path)});
    return digest;
}

bool ends_chunk(const std::string& name) {
    return std::stoul(base::sha256_hex(name).substr(0, 4), nullptr, 16) % kUsualSources == 0;
}

}  // namespace

std::vector<std::string> embedded_by(const emit::FileSet& files, const std::string& path) {
    return named_behind(kEmbedded, files, path);
}

std::vector<Chunk> chunks_of(const emit::FileSet& files, std::size_t least,
                             const std::string& base) {
    // A source with a header of its own is an entity's. The others see all of these headers and
    // change with each of them: they stay together.
    std::vector<std::string> shared, own;
    for (const auto& [path, text] : files) {
        if (!path.ends_with(".cpp")) continue;
        const bool has_header = files.contains(with_extension(path, ".hpp"));
        (has_header ? own : shared).push_back(path);
    }
    least = std::max<std::size_t>(least, 1);
    const auto most = std::clamp<std::size_t>((own.size() + least - 1) / least, 1, kMostSources);

    std::vector<Chunk> chunks;
    if (!shared.empty()) chunks.push_back({shared, {}});
    bool open = false;
    for (const auto& path : own) {
        if (!open) chunks.emplace_back();
        chunks.back().sources.push_back(path);
        open = chunks.back().sources.size() < most && !ends_chunk(path);
    }
    for (Chunk& chunk : chunks) chunk.key = key_of(files, chunk.sources, base);
    return chunks;
}

}  // namespace svc::build
