#include "page/asset/kept_scripts.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"
#include "page/asset/assets.hpp"

namespace svc::page {
namespace {

constexpr std::string_view kScriptFolder = "/assets/";
constexpr std::size_t kLongestScript = 80;
constexpr std::chrono::hours kKeepPause{6};

// The name of a script that may be there; empty: none is.
std::string_view script_name(std::string_view path) {
    if (!path.starts_with(kScriptFolder) || !path.ends_with(".js")) return {};
    const std::string_view name = path.substr(kScriptFolder.size());
    const auto fits = [](char c) { return base::is_alphanumeric(c) || c == '-' || c == '.'; };
    return name.size() <= kLongestScript && std::ranges::all_of(name, fits) ? name
                                                                            : std::string_view();
}

}  // namespace

Task<> KeptScripts::keep() {
    const auto now = std::chrono::steady_clock::now();
    if (kept_at_ && now - *kept_at_ < kKeepPause) co_return;
    kept_at_ = now;
    std::vector<std::array<db::Param, 2>> params;
    for (const Asset& one : assets(site_))
        if (one.content_type == kScriptType)
            params.push_back(
                std::array<db::Param, 2>{std::string_view(one.path).substr(kScriptFolder.size()),
                                         std::string_view(one.body)});
    std::vector<db::Command> commands;
    commands.reserve(params.size());
    for (const auto& pair : params)
        commands.push_back(identity::command("svc_keep_script",
                                             "select svc.keep_script($1::text, $2::text)", pair));
    const db::Outcome outcome = co_await system_.run(commands);
    if (outcome.ok) co_return;
    kept_at_.reset();
    log::write(log::Level::warning, "scripts_not_kept",
               {{"sqlstate", outcome.error().sqlstate}, {"what", outcome.error().loggable()}});
}

Task<std::optional<std::string>> KeptScripts::find(std::string_view path) {
    const std::string_view name = script_name(path);
    if (name.empty()) co_return std::nullopt;
    db::OneText body;
    const db::Param params[] = {name};
    const db::Command command =
        identity::command("svc_kept_script", "select svc.kept_script($1::text)", params, &body);
    const db::Outcome outcome = co_await system_.run({&command, 1});
    co_return outcome.ok ? std::move(body.text) : std::nullopt;
}

}  // namespace svc::page
