#include "feed/judge/shown_row.hpp"

#include "feed/judge/judging.hpp"

namespace svc::feed {

// The row as a listener receives it when it is created.
Task<std::optional<std::string>> shown_row(db::Pool& data, const App& app, const Entity& entity,
                                           const Caller& caller, const std::string& row) {
    auto reader = std::make_shared<Reader>();
    reader->entity = &entity;
    reader->who = std::make_shared<const Identity>(caller);
    reader->mask = mask_of(entity, caller.principals);
    const ReaderSet alone(entity, Readers{reader}, {});
    Counts counts;  // of nobody who listens
    JudgedTable table(alone);
    PageRecord record;
    record.table = entity.name;
    record.after = row;
    table.add(record, 0);
    const bool judged = co_await judge_table(data, app, table, "", counts);
    if (!judged) co_return std::nullopt;
    std::vector<std::shared_ptr<Event>> events{std::make_shared<Event>()};
    table.fill(events);
    const Event& event = *events.front();
    if (event.seen.empty()) co_return std::string();
    co_return std::string(event.row_for(reader->mask.key));
}

}  // namespace svc::feed
