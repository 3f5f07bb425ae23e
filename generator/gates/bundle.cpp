#include "gates/bundle.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/read_file.hpp"
#include "base/sha256.hpp"
#include "gates/script.hpp"

namespace svc::gates {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uintmax_t kMostBytes = 64 * 1024 * 1024;

std::string text_of(const BundleJob& job) {
    json components = json::array(), client = json::object();
    for (const auto& [name, source] : job.components)
        components.push_back({{"name", name}, {"source", source}});
    for (const auto& [name, text] : job.client) client[fs::path(name).filename()] = text;
    return json{{"components", components}, {"client", client}, {"shown", job.shown}}.dump(
        -1, ' ', false, json::error_handler_t::replace);
}

void make(const std::string& job, const std::string& kept, const build::Settings& settings) {
    const bool inside = build::sandboxed(settings.sandbox);
    if (const std::string lack = lacking(settings, inside); !lack.empty())
        throw std::runtime_error(lack);
    const ScriptRun asked("pack.mjs", job, settings, inside);
    if (!asked.ended().ok)
        throw std::runtime_error("The components could not be made into scripts: " +
                                 asked.ended().output.substr(0, 500));
    const std::string made = asked.written("scripts.json");
    if (fs::symlink_status(made).type() == fs::file_type::regular &&
        fs::file_size(made) > kMostBytes)
        throw std::runtime_error(
            "The components are too large: their scripts have more than 64 MB.");
    fs::create_directories(fs::path(kept).parent_path());
    build::Cache::install(made, kept);
    build::Cache(settings.cache).sweep();
}

emit::Scripts read(const std::string& kept) {
    const json answer = json::parse(base::read_file(kept).value_or(""));
    emit::Scripts out;
    for (const json& one : answer.at("scripts"))
        out.push_back({one.at("name").get<std::string>(), one.at("text").get<std::string>()});
    return out;
}

}  // namespace

emit::Scripts bundle(const BundleJob& job, const build::Settings& settings) {
    const std::string text = text_of(job);
    const std::string kept =
        settings.cache + "/scripts/" + base::sha256_hex_of({scripts_hash(), text});
    if (!build::Cache::use(kept)) make(text, kept, settings);
    try {
        return read(kept);
    } catch (const json::exception&) {
        // A disk that was full, a machine that lost its power.
        make(text, kept, settings);
        return read(kept);
    }
}

}  // namespace svc::gates
