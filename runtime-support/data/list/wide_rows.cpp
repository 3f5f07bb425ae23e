#include "data/list/wide_rows.hpp"

#include <unordered_map>

#include "data/columns.hpp"

namespace svc::data::list {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kHolds{1};

// Bytes are counted as they are stored: compressed, where a byte holds at most a hundred. The index
// has the name that generator/plan/table gives it.
std::string question(const Entity& entity) {
    const std::string name(entity.name);
    return "select pg_relation_size(reltoastrelid) > 131072,"
           " exists (select from pg_catalog.pg_index i where i.indisvalid and i.indexrelid ="
           " to_regclass('public." +
           quoted_name(name + "__newest_idx") +
           "')) from pg_catalog.pg_class where oid = to_regclass('public." + quoted_name(name) +
           "')";
}

}  // namespace

WideRows::Known& WideRows::known(const Entity& entity) {
    thread_local std::unordered_map<const Entity*, Known> all;
    return all[&entity];
}

WideRows::WideRows(const Entity& entity, db::Command& rows) : known_(known(entity)), rows_(rows) {
    const bool needed = !rows_.row_by_row || (entity.newest_first && !known_.newest_indexed);
    if (!needed) return;
    if (Clock::now() < known_.until)
        rows_.row_by_row = rows_.row_by_row || known_.wide;
    else
        sql_ = question(entity);
}

bool WideRows::newest_indexed(const Entity& entity) { return known(entity).newest_indexed; }

db::Command WideRows::command() {
    return {.statement = {.name = "?", .types = {}, .sql = sql_}, .params = {}, .sink = this};
}

void WideRows::row(const Row& row) {
    known_ = {!row.null(0) && row.text(0) == "t", row.text(1) == "t", Clock::now() + kHolds};
    rows_.row_by_row = rows_.row_by_row || known_.wide;
}

}  // namespace svc::data::list
