#include "feed/judge/judged_table.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "feed/judge/row_texts.hpp"

namespace svc::feed {
namespace {

constexpr std::string_view kNoRow = "{}";

void append_caller(std::string& out, const Caller& caller) {
    out += R"({"id":)";
    base::append_json(out, caller.user ? std::string_view(caller.user->id) : std::string_view());
    out += R"(,"names":)";
    base::append_json(out, caller.names);
    out += R"(,"claims":)";
    base::append_json(out, caller.claims);
    out += '}';
}

// Calls with each identity that could see the row before or after, and its decisions of these.
template <class Call>
void for_each_seeing(const Version& before, const Version& after, const Call& call) {
    auto was = before.readers.begin();
    auto is = after.readers.begin();
    const auto taken = [](auto& at, const ReaderDecisions& readers, std::uint32_t who) {
        return at != readers.end() && at->who == who ? *at++
                                                     : ReaderDecision{who, ReadDecision::no};
    };
    while (was != before.readers.end() || is != after.readers.end()) {
        const bool first =
            is == after.readers.end() || (was != before.readers.end() && was->who < is->who);
        const std::uint32_t who = first ? was->who : is->who;
        const ReaderDecision saw = taken(was, before.readers, who);
        call(saw, taken(is, after.readers, who));
    }
}

Seen seen(bool before, bool after, bool changed) {
    if (before && after) return changed ? Seen::updated : Seen::nothing;
    if (after) return Seen::created;
    return before ? Seen::deleted : Seen::nothing;
}

}  // namespace

void JudgedTable::add(const PageRecord& record, std::size_t position) {
    Change change;
    change.position = position;
    change.id = record.id;
    changes_of_[record.id].push_back(changes_.size());
    change.rows.resize(reader_set_.masks().size());
    change.changed.resize(reader_set_.masks().size());
    change.before.there = !record.before.empty();
    change.after.there = !record.after.empty();
    for (Version* version : {&change.before, &change.after})
        version->fits.assign(filters().size(), false);
    for (const std::string* row : {&record.before, &record.after}) {
        texts_.push_back(row->empty() ? std::string(kNoRow) : *row);
        if (rows_.size() > 1) rows_ += ',';
        rows_ += texts_.back();
    }
    changes_.push_back(std::move(change));
}

data::QueryText JudgedTable::rows_text(std::string_view timezone) const {
    return feed::rows_text(entity(), rows_ + ']', timezone);
}

data::QueryText JudgedTable::filters_text(std::size_t first, std::size_t end) const {
    return feed::filters_text(entity(), rows_ + ']',
                              std::span(filters()).subspan(first, end - first));
}

void JudgedTable::row(const Row& row) {
    const std::size_t number = next_row_++;
    Change& change = changes_[number / 2];
    Version& now = version(number);
    if (now.there) judge(row, now);
    if (now.there) note_above(row, number);
    if (number % 2 == 1 && now.there) render(row, change);
    last_.clear();
    for (unsigned i = 0; i < entity().columns.size(); ++i)
        last_.push_back(row.null(static_cast<int>(i)) ? Maybe<std::string>()
                                                      : std::string(row.text(static_cast<int>(i))));
}

void JudgedTable::judge(const Row& row, Version& version) {
    std::vector<Text> columns;
    const int count = static_cast<int>(entity().columns.size());
    columns.reserve(entity().columns.size());
    for (int i = 0; i < count; ++i) columns.push_back(row.null(i) ? Text() : Text(row.text(i)));
    const svc::Record record{List<Text>(columns)};
    version.readers = reader_set_.judge(record, moment(row.text(count)), day(row.text(count + 1)));
}

void JudgedTable::render(const Row& row, Change& change) {
    std::vector<bool> differs;
    for (std::size_t i = 0; i < entity().columns.size(); ++i) {
        const int column = static_cast<int>(i);
        const bool same = last_[i].known() == !row.null(column) &&
                          (!last_[i].known() || *last_[i] == row.text(column));
        differs.push_back(!same);
    }
    for (std::size_t mask = 0; mask < reader_set_.masks().size(); ++mask) {
        const ColumnSet& columns = reader_set_.masks()[mask]->columns;
        entity().write_row(row, columns, change.rows[mask]);
        for (unsigned i = 0; i < differs.size(); ++i)
            if (differs[i] && columns[i]) change.changed[mask] = true;
    }
}

JudgedTable::Question JudgedTable::question() const {
    Question out;
    for (std::size_t number = 0; number < 2 * changes_.size(); ++number) {
        const Change& change = changes_[number / 2];
        const std::size_t asked = out.caller.size();
        for (const ReaderDecision& reader :
             (number % 2 == 0 ? change.before : change.after).readers)
            if (reader.decision == ReadDecision::ask) out.caller.push_back(reader.who);
        if (asked == out.caller.size()) continue;
        out.rows += (out.row.empty() ? '[' : ',') + texts_[number];
        out.row.push_back(number);
    }
    std::ranges::sort(out.caller);
    out.caller.erase(std::unique(out.caller.begin(), out.caller.end()), out.caller.end());
    for (const std::uint32_t who : out.caller) {
        out.callers += out.callers.empty() ? '[' : ',';
        append_caller(out.callers, reader_set_.identity(who).caller);
    }
    out.rows += ']';
    out.callers += ']';
    out.above = left_above();
    return out;
}

void JudgedTable::answer(std::size_t row, std::uint32_t caller) {
    ReaderDecisions& readers = version(row).readers;
    const auto at = std::ranges::lower_bound(readers, caller, {}, &ReaderDecision::who);
    if (at != readers.end() && at->who == caller && at->decision == ReadDecision::ask)
        at->decision = ReadDecision::yes;
}

// A row that somebody could read by a row above that is gone by now is not sent any more. As long
// as it stayed where they could read it, they are told nothing: a later change on the page took it
// away.
void JudgedTable::fill(const Change& change, Event& event) const {
    std::vector<bool> shown(reader_set_.masks().size());
    for_each_seeing(change.before, change.after, [&](ReaderDecision was, ReaderDecision is) {
        for (const std::uint32_t reader : reader_set_.readers_of(was.who)) {
            const ReaderView& view = reader_set_.view(reader);
            const bool saw = was.shown() && change.before.fits_in(view);
            const bool fits = change.after.fits_in(view);
            if (is.past && fits) continue;
            const Seen what = seen(saw, fits && is.shown(), change.changed[view.mask]);
            if (what == Seen::nothing) continue;
            event.seen.emplace_back(reader_set_.readers()[reader]->id, what);
            shown[view.mask] = shown[view.mask] || what != Seen::deleted;
        }
    });
    std::ranges::sort(event.seen);
    for (std::size_t mask = 0; mask < shown.size(); ++mask)
        if (shown[mask]) event.rows.emplace_back(reader_set_.masks()[mask]->key, change.rows[mask]);
}

void JudgedTable::fill(std::vector<std::shared_ptr<Event>>& events) const {
    if (given_up_) return;
    for (const Change& change : changes_) fill(change, *events[change.position]);
}

void JudgedTable::add_decided(const Change& change, Moves& out) const {
    for_each_seeing(change.before, change.after, [&](ReaderDecision was, ReaderDecision is) {
        if (was.shown() == is.shown()) return;
        for (const std::uint32_t reader : reader_set_.decided_of(was.who))
            out.emplace_back(reader_set_.decided()[reader], change.position);
    });
}

// A row that did not exist before had no other rows that depend on it.
JudgedTable::Moves JudgedTable::moved(bool whole) const {
    Moves out;
    if (given_up_) {
        for (const Readers* all : {&reader_set_.readers(), &reader_set_.decided()})
            for (const ReaderPtr& reader : *all) out.emplace_back(reader, changes_.back().position);
        return out;
    }
    for (const Change& change : changes_) {
        if (change.in_doubt) add_doubtful(change, out);
        // They get `deleted` for each row that went with it.
        const bool gone = whole && !change.after.there;
        if (change.before.there && !gone && !reader_set_.decided().empty())
            add_decided(change, out);
    }
    return out;
}

}  // namespace svc::feed
