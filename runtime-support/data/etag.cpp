#include "data/etag.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/hex.hpp"

namespace svc::data {

namespace {

constexpr std::string_view kContract = "/";  // between a version and what else makes the answer
constexpr std::size_t kContractDigits = 8;

// updated_at is among the last columns of every table of the app's own database.
std::optional<int> updated_at(const Entity& entity) {
    if (entity.external) return std::nullopt;
    for (auto i = static_cast<int>(entity.columns.size()); i-- > 0;) {
        if (entity.columns[static_cast<std::size_t>(i)].name == "updated_at") return i;
    }
    return std::nullopt;
}

void append_number(std::string& out, std::uint32_t number) {
    for (int shift = 28; shift >= 0; shift -= 4) {
        out += base::kHexDigits[(number >> static_cast<unsigned>(shift)) & 15U];
    }
}

// FNV-1a.
class Hash {
  public:
    void add(unsigned one) { value_ = (value_ ^ one) * 16777619U; }
    std::uint32_t value() const { return value_; }

  private:
    std::uint32_t value_ = 2166136261U;
};

std::uint32_t hidden_hash(const ColumnSet& visible) {
    Hash hash;
    for (unsigned i = 0; i < ColumnSet::kMax; ++i) {
        if (!visible[i]) hash.add(i);
    }
    return hash.value();
}

std::uint32_t form_hash(std::string_view form) {
    Hash hash;
    for (const char c : form) hash.add(static_cast<unsigned char>(c));
    return hash.value();
}

struct Tag {
    std::string_view opaque;  // between its quotes
    bool weak = false;
};

// The next tag of a list, which loses it; none at the end or if it is malformed.
std::optional<Tag> next_tag(std::string_view& list) {
    list = base::trim(list);
    Tag tag;
    if (list.starts_with("W/")) {
        tag.weak = true;
        list.remove_prefix(2);
    }
    if (!list.starts_with('"')) return std::nullopt;
    const std::size_t end = list.find('"', 1);
    if (end == std::string_view::npos) return std::nullopt;
    tag.opaque = list.substr(1, end - 1);
    list = base::trim(list.substr(end + 1));
    if (list.empty()) return tag;
    if (!list.starts_with(',')) return std::nullopt;
    list.remove_prefix(1);
    return tag;
}

// The version in a tag of this API; empty if it is not one.
std::string version_in(const Tag& tag) {
    std::string version(tag.opaque.substr(0, tag.opaque.find(kContract)));
    std::ranges::replace(version, 'T', ' ');
    const auto ours = [](char c) {
        return base::kHexDigits.find(c) != base::kHexDigits.npos ||
               std::string_view("+-:. ").find(c) != std::string_view::npos;
    };
    return !tag.weak && std::ranges::all_of(version, ours) ? version : std::string();
}

}  // namespace

std::string row_version(const Entity& entity, const Row& row) {
    std::string version(row.text(static_cast<int>(entity.columns.size())));
    if (const auto at = updated_at(entity)) version += row.text(*at);
    return version;
}

select::KeptColumns kept_for_version(const Entity& entity) {
    select::KeptColumns kept{.columns = {}, .extra = 1};
    if (const auto at = updated_at(entity)) kept.columns.add(static_cast<unsigned>(*at));
    return kept;
}

std::string entity_tag(std::string_view version, const App& app, const Visible& visible,
                       std::string_view form) {
    std::string tag;
    tag.reserve(version.size() + 24);
    tag.append("\"").append(version);
    std::ranges::replace(tag, ' ', 'T');
    tag.append(kContract).append(app.contract.substr(0, kContractDigits));
    if (!visible.all) append_number(tag, hidden_hash(visible.columns));
    if (!form.empty()) append_number(tag += '-', form_hash(form));
    return tag += '"';
}

bool Precondition::fits(std::string_view version) const {
    if (!versions) return true;
    return versions->find('"' + std::string(version) + '"') != std::string::npos;
}

Result<Precondition> if_match(const http::Head& head) {
    std::string_view list = head.header("if-match");
    Precondition condition;
    if (list.empty()) return condition;
    condition.given = true;
    if (base::trim(list) == "*") return condition;
    std::string versions = "{";
    while (!list.empty()) {
        const auto tag = next_tag(list);
        if (!tag)
            return bad_params(
                "If-Match must be * or a list of quoted tags, as the ETag header gives them.");
        const std::string version = version_in(*tag);
        if (version.empty()) continue;
        versions.append(versions.size() > 1 ? ",\"" : "\"").append(version).append("\"");
    }
    condition.versions = versions + '}';
    return condition;
}

bool none_match_names(const http::Head& head, std::string_view tag) {
    std::string_view list = head.header("if-none-match");
    if (base::trim(list) == "*") return true;
    while (!list.empty()) {
        const auto next = next_tag(list);
        if (!next) return false;
        if (next->opaque == tag.substr(1, tag.size() - 2)) return true;
    }
    return false;
}

}  // namespace svc::data
