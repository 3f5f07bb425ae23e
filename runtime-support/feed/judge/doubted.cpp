// Rows whose row above, which decides for them (same_as), was deleted after the page and before the
// database was asked: it no longer knows who could read them, and no later page says that they are
// gone. So whoever it may have been reads anew.
#include <algorithm>
#include <set>

#include "base/json_text.hpp"
#include "feed/judge/judged_table.hpp"

namespace svc::feed {

// A reader may have to be told that the row is gone: it has left the row above, or a filter.
bool JudgedTable::may_leave(const Change& change) const {
    const bool leaves = change.above_before != change.above_after || !filters().empty();
    return leaves && change.before.there && !change.above_before.empty();
}

std::string JudgedTable::left_above() const {
    std::set<std::string_view> ids;
    for (const Change& change : changes_) {
        const bool asked = std::ranges::any_of(change.before.readers, [](const auto& reader) {
            return reader.decision == ReadDecision::ask;
        });
        if (asked && may_leave(change)) ids.insert(change.above_before);
    }
    std::string out;
    for (const std::string_view id : ids) {
        out += out.empty() ? '[' : ',';
        base::append_json(out, id);
    }
    return out.empty() ? out : out + ']';
}

void JudgedTable::doubt(std::string_view above) {
    for (Change& change : changes_)
        if (change.above_before == above && may_leave(change)) change.in_doubt = true;
}

void JudgedTable::add_doubtful(const Change& change, Moves& out) const {
    const bool left = change.above_before != change.above_after;
    for (const ReaderDecision& each : change.before.readers) {
        if (each.shown() || each.decision == ReadDecision::no) continue;
        for (const std::uint32_t reader : reader_set_.readers_of(each.who)) {
            const ReaderView& view = reader_set_.view(reader);
            if (change.before.fits_in(view) && (left || !change.after.fits_in(view)))
                out.emplace_back(reader_set_.readers()[reader], change.position);
        }
        if (!left) continue;
        for (const std::uint32_t reader : reader_set_.decided_of(each.who))
            out.emplace_back(reader_set_.decided()[reader], change.position);
    }
}

}  // namespace svc::feed
