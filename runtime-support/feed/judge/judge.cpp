#include "feed/judge/judge.hpp"

#include <deque>

#include "feed/judge/inherited.hpp"
#include "feed/judge/judging.hpp"

namespace svc::feed {

// The work on one page.
struct Judge::Work {
    std::deque<JudgedTable> tables;
    std::map<std::string_view, JudgedTable*> known;  // null: nobody reads it
    std::vector<std::shared_ptr<Event>> events;      // by position
};

void Judge::add(const PageRecord& record, std::size_t position, const ReaderSets& reader_sets,
                Work& work) const {
    Event& event = *work.events[position];
    if (record.is_message()) {
        event.topic = record.topic;
        event.payload = record.payload;
        return;
    }
    event.topic = "row-changed:" + record.table;
    event.table = record.table;
    event.id = record.id;
    const Entity* entity = app_.entity(record.table);
    if (!entity) return;
    const auto [at, fresh] = work.known.emplace(entity->name, nullptr);
    const ReaderSet* reader_set = fresh ? reader_sets.of(*entity) : nullptr;
    if (reader_set) at->second = &work.tables.emplace_back(*reader_set);
    if (at->second) at->second->add(record, position);
}

Moved Judge::moved(const Page& page, bool whole, const ReaderSets& reader_sets,
                   const Work& work) const {
    Moved moved;
    for (const JudgedTable& table : work.tables) moved.note(table, whole);
    for (std::size_t i = page.records.size(); i > 0; --i) {
        const PageRecord& record = page.records[i - 1];
        const Entity* entity = record.is_message() ? nullptr : app_.entity(record.table);
        if (!entity || reader_sets.lookers(*entity).empty()) continue;
        moved.note_change(reader_sets.lookers(*entity), record, i - 1);
    }
    return moved;
}

Task<bool> Judge::run(const Page& page, Cursor since, const ReaderSets& reader_sets,
                      Events& events) const {
    Work work;
    const bool whole = page.whole() && begins(*since);
    for (std::size_t i = 0; i < page.records.size(); ++i) {
        auto event = std::make_shared<Event>();
        event->since = std::exchange(since, make_cursor(page.records[i].next));
        event->next = since;
        work.events.push_back(std::move(event));
        add(page.records[i], i, reader_sets, work);
    }
    for (JudgedTable& table : work.tables) {
        const bool done = co_await judge_table(data_, app_, table, page.until(), counts_);
        if (!done) co_return false;
    }
    if (whole) inherit(work.tables);
    const Moved moved = this->moved(page, whole, reader_sets, work);
    for (const JudgedTable& table : work.tables) table.fill(work.events);
    // A reset comes before the change that it is for, and its cursor is before that change: a
    // client that loses its connection between the two gets both again.
    for (std::size_t i = 0; i < work.events.size(); ++i) {
        std::shared_ptr<Event>& event = work.events[i];
        for (EventPtr& reset : moved.resets(i, event->since, cursors_))
            events.push_back(std::move(reset));
        if (!event->is_message() && event->seen.empty()) continue;
        event->sealed = cursors_.seal(*event->next);
        events.push_back(std::move(event));
    }
    co_return true;
}

}  // namespace svc::feed
