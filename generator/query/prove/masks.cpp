#include "query/prove/masks.hpp"

#include <algorithm>

namespace svc::query {
namespace {

using plan::ServedColumn;
using plan::ServedEntity;

constexpr std::uint64_t kGuest = 1;
constexpr std::size_t kFirstPersona = 5;

// The principals of organisations: members have them beside that of their persona.
std::uint64_t roles(const plan::Plan& plan) {
    const std::size_t first = kFirstPersona + plan.personas.size();
    return first < 64 ? ~std::uint64_t{0} << first : 0;
}

class Masks {
  public:
    Masks(const plan::Plan& plan, const Read& read, Report& report)
        : plan_(plan), read_(read), report_(report) {}

    void check(const ColumnAccess& access, const std::set<std::pair<std::string, int>>& shown) {
        for (const ServedEntity& entity : plan_.entities) {
            if (entity.name != access.table) continue;
            for (std::size_t i = 0; i < entity.columns.size(); ++i) {
                const int number = static_cast<int>(i) + 1;
                const bool whole = access.number == 0;
                if (!whole && access.number != number) continue;
                if (access.how != ColumnAccess::How::reads) {
                    writes(entity, entity.columns[i], access.how);
                } else if (shown.count({entity.name, number}) == 0) {
                    reads(entity, entity.columns[i], whole);
                }
            }
        }
    }

  private:
    static std::size_t place(const std::map<std::string, std::size_t>& places,
                             const std::string& column) {
        const auto at = places.find(column);
        return at == places.end() ? 0 : at->second;
    }

    void reads(const ServedEntity& entity, const ServedColumn& column, bool whole) {
        if (!is_kept_from_some(plan_, report_.query(), column.readers)) return;
        if (!warned_.insert(entity.name + "." + column.name).second) return;
        report_.warning(place(read_.reads, column.name), "QUERY_SHOWS_HIDDEN_FIELD",
                        "The query uses \"" + column.name + "\" of " + entity.name +
                            (whole ? ", in a whole row," : "") +
                            " for callers who may not read it.",
                        "remove the field, or allow the query only to callers who may read it");
    }

    // Policies and triggers protect the owner and the id of a row against every writer.
    static bool is_held(const ServedColumn& column) {
        return column.name == "id" || column.name == "user_id" || column.name == "org_id";
    }

    void writes(const ServedEntity& entity, const ServedColumn& column, ColumnAccess::How how) {
        const bool creates = how == ColumnAccess::How::inserts;
        const std::uint64_t mask = creates ? column.creators : column.updaters;
        if (is_held(column)) return;
        const bool nobody = mask == 0;
        if (!nobody && !is_kept_from_some(plan_, report_.query(), mask)) return;
        report_.error(
            place(read_.writes, column.name), "QUERY_WRITES_CLOSED_FIELD",
            "The query writes \"" + column.name + "\" of " + entity.name +
                (nobody ? creates ? ", but nobody may send it." : ", but nobody may change it."
                        : " for callers who may not write it."),
            nobody ? "remove the field"
                   : "remove the field, or allow the query only to callers who may write it");
    }

    const plan::Plan& plan_;
    const Read& read_;
    Report& report_;
    std::set<std::string> warned_;
};

}  // namespace

bool is_kept_from_some(const plan::Plan& plan, const plan::Query& query, std::uint64_t mask) {
    const bool by_role = (query.allow & roles(plan)) != 0;
    const auto kept = [&](std::uint64_t caller, bool runs) { return runs && (caller & mask) == 0; };
    return kept(kGuest, (query.allow & kGuest) != 0) ||
           std::any_of(plan.personas.begin(), plan.personas.end(), [&](const auto& persona) {
               return kept(persona.principals, by_role || (persona.principals & query.allow) != 0);
           });
}

void check_masks(const plan::Plan& plan, const Read& read,
                 const std::vector<ColumnAccess>& accesses,
                 const std::set<std::pair<std::string, int>>& shown, Report& report) {
    Masks masks(plan, read, report);
    for (const ColumnAccess& one : accesses) masks.check(one, shown);
}

}  // namespace svc::query
