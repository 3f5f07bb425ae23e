#include "cli/contract/base_version.hpp"

#include <filesystem>
#include <utility>

#include "cli/config.hpp"

namespace svc::cli {
namespace {

namespace fs = std::filesystem;

std::optional<ProjectLink> link_of(const std::string& project) {
    auto link = find_link(fs::current_path());
    return link && link->project == project ? link : std::nullopt;
}

std::string from_linked_folder(const ProjectLink& link, const std::string& file) {
    return fs::absolute(file).lexically_normal().lexically_relative(link.folder).generic_string();
}

}  // namespace

bool is_linked(const std::string& project) { return link_of(project).has_value(); }

std::optional<std::int64_t> base_version(const std::string& project, const std::string& file) {
    const auto link = link_of(project);
    if (!link) return std::nullopt;
    const auto found = link->bases.find(from_linked_folder(*link, file));
    return found == link->bases.end() ? std::nullopt : std::optional(found->second);
}

bool remember_base(const std::string& project, const std::string& file, std::int64_t version) {
    auto link = link_of(project);
    if (!link || version < 1) return false;
    auto& base = link->bases[from_linked_folder(*link, file)];
    if (std::exchange(base, version) != version) write_link(link->folder, *link);
    return true;
}

}  // namespace svc::cli
