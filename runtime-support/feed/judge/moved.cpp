#include "feed/judge/moved.hpp"

#include <algorithm>
#include <array>

namespace svc::feed {
namespace {

std::string_view key_name(const Look& look) { return look.target->columns[look.key].name; }

// A row from before it had the column does not say whom it concerned.
bool has_key(const Look& look, const RecordedRow& before, const RecordedRow& after) {
    return std::ranges::all_of(std::array{&before, &after}, [&](const RecordedRow* row) {
        return !row->there() || row->value(key_name(look));
    });
}

// The change is in something that the policy reads.
bool matters(const Look& look, const RecordedRow& before, const RecordedRow& after) {
    if (!before.there()) return look.made;
    if (!after.there()) return true;
    const List<Column> columns = look.target->columns;
    for (unsigned i = 0; i < columns.size(); ++i) {
        if (!look.columns[i]) continue;
        const auto was = before.value(columns[i].name), is = after.value(columns[i].name);
        if (!was || was != is) return true;
    }
    return false;
}

}  // namespace

void Moved::add(const ReaderPtr& reader, std::size_t position) {
    auto& [held, last] = last_[reader->id];
    held = reader;
    last = std::max(last, position);
}

void Moved::note(const JudgedTable& table, bool whole) {
    for (const auto& [reader, position] : table.moved(whole)) add(reader, position);
}

void Moved::note_change(const std::vector<const Lookers*>& lookers, const PageRecord& record,
                        std::size_t position) {
    const RecordedRow before(record.before), after(record.after);
    for (const Lookers* each : lookers) {
        const Look& look = each->look();
        if (noted_.contains({each, std::nullopt}) || !matters(look, before, after)) continue;
        if (look.key == Look::kNoKey || !has_key(look, before, after)) {
            add_all(*each, position);
            continue;
        }
        for (const RecordedRow* row : {&before, &after})
            if (row->there()) add_with(*each, row->text(key_name(look)), position);
    }
}

void Moved::add_all(const Lookers& lookers, std::size_t position) {
    noted_.emplace(&lookers, std::nullopt);
    for (const ReaderPtr& reader : lookers.all()) add(reader, position);
}

void Moved::add_with(const Lookers& lookers, const Maybe<std::string>& value,
                     std::size_t position) {
    if (is_null(value) || !noted_.emplace(&lookers, *value).second) return;
    for (const ReaderPtr& reader : lookers.with(*value)) add(reader, position);
}

std::vector<EventPtr> Moved::resets(std::size_t position, const Cursor& at,
                                    const CursorSealer& cursors) const {
    std::map<std::string_view, std::shared_ptr<Event>> by_table;
    for (const auto& [id, moved] : last_) {
        if (moved.second != position) continue;
        const std::string_view table = moved.first->entity->name;
        std::shared_ptr<Event>& event = by_table[table];
        if (!event) {
            event = std::make_shared<Event>();
            event->topic = "row-changed:" + std::string(table);
            event->table = table;
            event->since = event->next = at;
            event->sealed = cursors.seal(*at);
        }
        event->seen.emplace_back(id, Seen::reset);
    }
    std::vector<EventPtr> out;
    out.reserve(by_table.size());
    for (auto& [table, event] : by_table) out.push_back(std::move(event));
    return out;
}

}  // namespace svc::feed
