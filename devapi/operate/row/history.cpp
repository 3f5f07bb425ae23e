#include "operate/row/history.hpp"

#include <utility>

#include "common/iso_time.hpp"
#include "common/table_names.hpp"
#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

// An app that was built before there was a history has no such table.
constexpr const char* kHasHistory = "select to_regclass('svc.history') is not null";

// The names under which the entries of table $1 stand. An app that was built before tables could be
// renamed has no such function.
constexpr const char* kHasNames = "select to_regproc('svc.former_names') is not null";
std::string former_names_of(bool renamed) {
    return renamed ? "svc.former_names($1::text) n"
                   : "(values ($1::text, 0::bigint, 9223372036854775807)) n (name, after, before)";
}

std::string keeps_history(bool renamed) {
    return "select exists (select from pg_trigger t where t.tgfoid = "
           "'svc.note_history'::regproc "
           "and t.tgrelid = to_regclass(format('public.%I', $1::text))) "
           "or exists (select from svc.history h join " +
           former_names_of(renamed) + " on h.table_name = n.name)";
}

std::string entries_of(bool renamed) {
    return "select h.seq, json_build_object('at', " + iso_millis("h.at") +
           ", 'actorId', h.actor, 'actor', a.email, 'event', h.event, 'transition', h.transition, "
           "'old', svc.shown_row($1, svc.by_new_names($1, h.seq, h.old), c.names)::json, "
           "'new', svc.shown_row($1, svc.by_new_names($1, h.seq, h.new), c.names)::json)::text "
           "from " +
           former_names_of(renamed) +
           " join svc.history h on h.table_name = n.name and h.seq > n.after and h.seq < n.before "
           "left join svc.account a on a.id = h.actor cross join ("
           "select array_agg(attname::text order by attnum) as names from pg_attribute "
           "where attrelid = to_regclass(format('public.%I', $1::text)) and attnum > 0 "
           "and not attisdropped) c "
           "where h.row_id = $2::uuid and ($3::bigint = 0 or h.seq < $3) "
           "order by h.seq desc limit $4";
}

}  // namespace

HistoryFound history_of(const HistoryRequest& wanted) {
    HistoryFound out;
    Reading reading(wanted.database);
    const bool renamed = reading.tx.exec1(kHasNames)[0].as<bool>();
    out.kept = reading.tx.exec1(kHasHistory)[0].as<bool>() &&
               reading.tx.exec_params(keeps_history(renamed), wanted.table)[0][0].as<bool>();
    if (!out.kept) {
        for (const auto& row : reading.tx.exec(kTableNames))
            out.tables.emplace_back(row[0].c_str());
        return out;
    }
    const auto rows = reading.tx.exec_params(entries_of(renamed), wanted.table, wanted.row,
                                             wanted.before, wanted.limit + 1);
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
