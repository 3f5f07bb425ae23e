#include "operate/row/history.hpp"

#include <utility>

#include "common/iso_time.hpp"
#include "common/table_names.hpp"
#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

// An app that was built before there was a history has no such table.
constexpr const char* kHasHistory = "select to_regclass('svc.history') is not null";

constexpr const char* kKeepsHistory =
    "select exists (select from pg_trigger t where t.tgfoid = 'svc.note_history'::regproc "
    "and t.tgrelid = to_regclass(format('public.%I', $1::text))) "
    "or exists (select from svc.history h where h.table_name = $1)";

const std::string kEntries =
    "select h.seq, json_build_object('at', " + iso_millis("h.at") +
    ", 'actorId', h.actor, 'actor', a.email, 'event', h.event, 'transition', h.transition, "
    "'old', svc.shown_row($1, svc.by_new_names($1, h.seq, h.old), c.names)::json, "
    "'new', svc.shown_row($1, svc.by_new_names($1, h.seq, h.new), c.names)::json)::text "
    "from svc.history h left join svc.account a on a.id = h.actor cross join ("
    "select array_agg(attname::text order by attnum) as names from pg_attribute "
    "where attrelid = to_regclass(format('public.%I', $1::text)) and attnum > 0 "
    "and not attisdropped) c "
    "where h.table_name = $1 and h.row_id = $2::uuid and ($3::bigint = 0 or h.seq < $3) "
    "order by h.seq desc limit $4";

}  // namespace

HistoryFound history_of(const HistoryRequest& wanted) {
    HistoryFound out;
    Reading reading(wanted.database);
    out.kept = reading.tx.exec1(kHasHistory)[0].as<bool>() &&
               reading.tx.exec_params(kKeepsHistory, wanted.table)[0][0].as<bool>();
    if (!out.kept) {
        for (const auto& row : reading.tx.exec(kTableNames))
            out.tables.emplace_back(row[0].c_str());
        return out;
    }
    const auto rows =
        reading.tx.exec_params(kEntries, wanted.table, wanted.row, wanted.before, wanted.limit + 1);
    out.json = "{\"history\":[";
    const bool more = std::cmp_greater(rows.size(), wanted.limit);
    const int shown = more ? wanted.limit : static_cast<int>(rows.size());
    for (int i = 0; i < shown; ++i) out.json.append(i == 0 ? "" : ",").append(rows[i][1].c_str());
    out.json += more ? std::string("],\"hasMore\":true,\"next\":") + rows[shown - 1][0].c_str()
                     : "],\"hasMore\":false,\"next\":null";
    out.json += '}';
    return out;
}

}  // namespace svc::devapi
