#include "feed/judge/moved.hpp"

#include <algorithm>

namespace svc::feed {

void Moved::add(const ReaderPtr& reader, std::size_t position) {
    auto& [held, last] = last_[reader->id];
    held = reader;
    last = std::max(last, position);
}

void Moved::note(const JudgedTable& table) {
    for (const auto& [reader, position] : table.moved()) add(reader, position);
}

void Moved::note_all(const ReaderSets& reader_sets, const Entity& changed, bool made,
                     std::size_t position) {
    const auto looks_at_any = [&changed, made](const Look& look) {
        return look.column == Look::kAnyRow && look.target == &changed && (look.made || !made);
    };
    for (const Entity* other : reader_sets.app().entities)
        if (std::ranges::any_of(other->looks, looks_at_any))
            for (const ReaderPtr& reader : reader_sets.readers(*other)) add(reader, position);
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
