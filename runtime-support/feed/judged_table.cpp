#include "feed/judged_table.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "data/columns.hpp"
#include "feed/viewer.hpp"

namespace svc::feed {
namespace {

constexpr std::string_view kNoRow = "{}";
constexpr std::uint8_t kNo = static_cast<std::uint8_t>(ReadDecision::no);
constexpr std::uint8_t kYes = static_cast<std::uint8_t>(ReadDecision::yes);
constexpr std::uint8_t kAsk = static_cast<std::uint8_t>(ReadDecision::ask);

// The place of what has this key; put in where it is not there.
template <class T, class Key>
std::size_t place_of(std::vector<const T*>& list, std::map<std::string_view, std::size_t>& known,
                     const T* one, const Key& key) {
    const auto [at, fresh] = known.emplace(key, list.size());
    if (fresh) list.push_back(one);
    return at->second;
}

std::string columns_of(const Entity& entity) {
    std::string out;
    for (const Column& column : entity.columns) out += "r." + data::quoted_name(column.name) + ", ";
    return out;
}

std::string rows_from(const Entity& entity, std::string_view param) {
    return " from json_array_elements(" + std::string(param) +
           "::json) with ordinality k(\"j?\", \"n?\") cross join lateral "
           "json_populate_record(null::public." +
           data::quoted_name(entity.name) + ", k.\"j?\") r";
}

void append_caller(std::string& out, const Caller& caller) {
    out += R"({"id":)";
    base::append_json(out, caller.user ? std::string_view(caller.user->id) : std::string_view());
    out += R"(,"names":)";
    base::append_json(out, caller.names);
    out += R"(,"claims":)";
    base::append_json(out, caller.claims);
    out += '}';
}

}  // namespace

JudgedTable::JudgedTable(const Entity& entity, Readers readers, Readers decided)
    : entity_(entity), readers_(std::move(readers)), decided_(std::move(decided)) {
    std::map<std::string_view, std::size_t> masks, filters;
    for (const ReaderPtr& reader : decided_) identities_of_decided_.push_back(identity(reader));
    for (const ReaderPtr& reader : readers_) {
        Ways ways{};
        ways.who = identity(reader);
        ways.mask = place_of(masks_, masks, &reader->mask, reader->mask.key);
        ways.filter = static_cast<std::size_t>(-1);
        if (reader->filter)
            ways.filter = place_of(filters_, filters, reader->filter.get(), reader->filter->key);
        ways_.push_back(ways);
    }
    for (const Identity* identity : identities_) viewers_.push_back(viewer_of(identity->caller));
}

std::size_t JudgedTable::identity(const ReaderPtr& reader) {
    return place_of(identities_, known_, reader->who.get(), reader->who->key);
}

void JudgedTable::add(const Told& record, std::size_t place) {
    Change change;
    change.place = place;
    change.rows.resize(masks_.size());
    change.changed.resize(masks_.size());
    change.before.there = !record.before.empty();
    change.after.there = !record.after.empty();
    for (Version* version : {&change.before, &change.after}) {
        version->sight.assign(identities_.size(), kNo);
        version->fits.assign(filters_.size(), false);
    }
    for (const std::string* row : {&record.before, &record.after}) {
        texts_.push_back(row->empty() ? std::string(kNoRow) : *row);
        if (rows_.size() > 1) rows_ += ',';
        rows_ += texts_.back();
    }
    changes_.push_back(std::move(change));
}

// Behind the columns the time, which policies may ask for.
data::QueryText JudgedTable::rows_text(std::string_view timezone) const {
    data::QueryText text;
    const std::string rows = text.bind(rows_ + ']', Type::json);
    const std::string zone = text.bind(std::string(timezone), Type::text);
    text.sql = "select " + columns_of(entity_) + "now(), (now() at time zone " + zone + ")::date" +
               rows_from(entity_, rows) + " order by k.\"n?\"";
    return text;
}

data::QueryText JudgedTable::filter_text(std::size_t filter) const {
    data::QueryText text = filters_[filter]->text;
    text.values[0] = rows_ + ']';
    text.sql =
        "select k.\"n?\" - 1" + rows_from(entity_, "$1") + " where " + filters_[filter]->text.sql;
    return text;
}

void JudgedTable::row(const Row& row) {
    const std::size_t number = next_row_++;
    Change& change = changes_[number / 2];
    Version& now = version(number);
    if (now.there) judge(row, now);
    if (number % 2 == 1 && now.there) render(row, change);
    last_.clear();
    for (unsigned i = 0; i < entity_.columns.size(); ++i)
        last_.push_back(row.null(static_cast<int>(i)) ? Maybe<std::string>()
                                                      : std::string(row.text(static_cast<int>(i))));
}

void JudgedTable::judge(const Row& row, Version& version) {
    std::vector<Text> columns;
    const int count = static_cast<int>(entity_.columns.size());
    columns.reserve(entity_.columns.size());
    for (int i = 0; i < count; ++i) columns.push_back(row.null(i) ? Text() : Text(row.text(i)));
    const svc::Record record{List<Text>(columns)};
    const Maybe<Moment> now = moment(row.text(count));
    const Maybe<Day> today = day(row.text(count + 1));
    for (std::size_t i = 0; i < viewers_.size(); ++i) {
        Viewer& viewer = viewers_[i];
        if (!entity_.access.reads(viewer.principals)) continue;
        viewer.now = now;
        viewer.today = today;
        version.sight[i] =
            entity_.may_read ? static_cast<std::uint8_t>(entity_.may_read(record, viewer)) : kAsk;
    }
}

void JudgedTable::render(const Row& row, Change& change) {
    std::vector<bool> differs;
    for (std::size_t i = 0; i < entity_.columns.size(); ++i) {
        const int column = static_cast<int>(i);
        const bool same = last_[i].known() == !row.null(column) &&
                          (!last_[i].known() || *last_[i] == row.text(column));
        differs.push_back(!same);
    }
    for (std::size_t mask = 0; mask < masks_.size(); ++mask) {
        const ColumnSet& columns = masks_[mask]->columns;
        entity_.write_row(row, columns, change.rows[mask]);
        for (unsigned i = 0; i < differs.size(); ++i)
            if (differs[i] && columns[i]) change.changed[mask] = true;
    }
}

JudgedTable::Question JudgedTable::question() const {
    Question out;
    std::vector<bool> asked(identities_.size());
    for (std::size_t number = 0; number < 2 * changes_.size(); ++number) {
        const Change& change = changes_[number / 2];
        const Version& version = number % 2 == 0 ? change.before : change.after;
        bool any = false;
        for (std::size_t i = 0; i < identities_.size(); ++i) {
            if (version.sight[i] != kAsk) continue;
            any = asked[i] = true;
        }
        if (!any) continue;
        out.rows += (out.row.empty() ? '[' : ',') + texts_[number];
        out.row.push_back(number);
    }
    for (std::size_t i = 0; i < identities_.size(); ++i) {
        if (!asked[i]) continue;
        out.callers += out.caller.empty() ? '[' : ',';
        append_caller(out.callers, identities_[i]->caller);
        out.caller.push_back(i);
    }
    out.rows += ']';
    out.callers += ']';
    return out;
}

void JudgedTable::answer(std::size_t row, std::size_t caller) {
    std::uint8_t& sight = version(row).sight[caller];
    if (sight == kAsk) sight = kYes;
}

bool JudgedTable::sees(const Version& version, const Ways& ways) const {
    if (!version.there || version.sight[ways.who] != kYes) return false;
    return ways.filter >= filters_.size() || version.fits[ways.filter];
}

Seen JudgedTable::seen(const Change& change, const Ways& ways) const {
    const bool before = sees(change.before, ways), after = sees(change.after, ways);
    if (before && after) return change.changed[ways.mask] ? Seen::updated : Seen::nothing;
    if (after) return Seen::created;
    return before ? Seen::deleted : Seen::nothing;
}

void JudgedTable::tell(std::vector<std::shared_ptr<Event>>& events) const {
    if (given_up_) return;
    for (const Change& change : changes_) {
        Event& event = *events[change.place];
        std::vector<bool> shown(masks_.size());
        for (std::size_t i = 0; i < readers_.size(); ++i) {
            const Seen what = seen(change, ways_[i]);
            if (what == Seen::nothing) continue;
            event.seen.emplace_back(readers_[i]->id, what);
            shown[ways_[i].mask] = shown[ways_[i].mask] || what != Seen::deleted;
        }
        for (std::size_t mask = 0; mask < masks_.size(); ++mask)
            if (shown[mask]) event.rows.emplace_back(masks_[mask]->key, change.rows[mask]);
    }
}

// Before a row was made no other could hang on it.
std::vector<std::pair<ReaderPtr, std::size_t>> JudgedTable::moved() const {
    std::vector<std::pair<ReaderPtr, std::size_t>> out;
    if (given_up_) {
        for (const Readers* all : {&readers_, &decided_})
            for (const ReaderPtr& reader : *all) out.emplace_back(reader, changes_.back().place);
        return out;
    }
    for (std::size_t i = 0; i < decided_.size(); ++i) {
        const std::size_t who = identities_of_decided_[i];
        const auto seen = [who](const Version& version) {
            return version.there && version.sight[who] == kYes;
        };
        const auto last = std::find_if(changes_.rbegin(), changes_.rend(), [&](const Change& one) {
            return one.before.there && seen(one.before) != seen(one.after);
        });
        if (last != changes_.rend()) out.emplace_back(decided_[i], last->place);
    }
    return out;
}

}  // namespace svc::feed
