// Changes that are judged for readers, by the table of the tests of data.
#pragma once

#include <boost/asio/co_spawn.hpp>

#include "feed/judge/judge.hpp"
#include "unit/data/fixture.hpp"

namespace svc::feed {

using data::kAnn;
using data::kBob;

// The reader's own rows; only the database decides about shared ones.
inline ReadDecision own_or_ask(const svc::Record& row, const Viewer& viewer) {
    if (row.text(1) == viewer.id) return ReadDecision::yes;
    return row.text(10) == Text("shared") ? ReadDecision::ask : ReadDecision::no;
}

inline Entity judged_item() {
    Entity entity = test::kItem;
    entity.access.read = principal::kSignedIn;
    entity.may_read = own_or_ask;
    return entity;
}

inline constexpr const char* kJudges =
    "create function svc.item_readers(r public.item, callers svc.caller[]) returns setof integer"
    " language sql stable as"
    " $$ select c.place from svc.each_caller(callers) c where r.title = c.claims ->> 'org' $$";

class FeedJudgeTest : public data::DataTest {
  protected:
    void SetUp() override {
        DataTest::SetUp();
        if (IsSkipped()) return;
        database->sql(kJudges);
        database->sql("grant execute on all functions in schema svc to " + role);
        cursors.set_epoch("app");
        app.timezone = "UTC";
        app.entities = {entities, 1};
    }

    ReaderPtr reads(Caller caller, std::string org = {}, std::shared_ptr<Filter> filter = {}) {
        if (!org.empty()) caller.claims = R"({"org":")" + org + "\"}";
        return audience.enter(item, caller, std::move(filter));
    }

    static std::string row(const char* owner, const char* title, const char* cost,
                           const char* status = "open") {
        return std::string(R"({"id":"00000000-0000-7000-8000-000000000001","user_id":")") + owner +
               R"(","title":")" + title + R"(","cost":)" + cost +
               R"(,"seen_at":"2026-01-02T03:04:05+02:00","tags":["a b"],"status":")" + status +
               R"(","gone":1})";
    }
    static PageRecord change(std::string before, std::string after) {
        PageRecord out;
        out.next = "9:9:";
        out.table = "item";
        out.id = "00000000-0000-7000-8000-000000000001";
        out.before = std::move(before);
        out.after = std::move(after);
        return out;
    }

    Events judged(std::vector<PageRecord> records, std::string next = "9:9:") {
        Page page;
        page.records = std::move(records);
        page.next = std::move(next);
        Events events;
        std::optional<bool> done;
        const ReadersOf readers = [this](const Entity& entity) { return audience.of(entity); };
        const Judge judge(app, cursors, *pool, counts);
        const ReaderSets reader_sets = judge.reader_sets(readers);
        asio::co_spawn(io, judge.run(page, make_cursor("1:1:"), reader_sets, events),
                       [&](std::exception_ptr error, bool result) {
                           if (error) std::rethrow_exception(error);
                           done = result;
                       });
        io.restart();
        while (!done) io.run_one_for(std::chrono::milliseconds(100));
        EXPECT_TRUE(*done);
        return events;
    }

    Entity item = judged_item();
    const Entity* entities[1] = {&item};
    App app;
    CursorSealer cursors{"secret"};
    Audience audience;
    Counts counts;
};

}  // namespace svc::feed
