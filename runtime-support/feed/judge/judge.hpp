// Turns a page of the database into events: rows are read as PostgreSQL has them, judged as they
// were before and as they are after, and printed as lists print them.
#pragma once

#include "feed/counts.hpp"
#include "feed/event.hpp"
#include "feed/judge/moved.hpp"
#include "feed/page.hpp"
#include "feed/reader/reader_sets.hpp"
#include "svc/app.hpp"

namespace svc::feed {

class Judge {
  public:
    // All arguments outlive the judge.
    Judge(const App& app, const CursorSealer& cursors, db::Pool& data, Counts& counts)
        : app_(app), cursors_(cursors), data_(data), counts_(counts) {}

    // Appends the events in the order of the page, without changes that nobody sees. False: the
    // database did not answer.
    Task<bool> run(const Page& page, Cursor since, const ReaderSets& reader_sets,
                   Events& events) const;

    ReaderSets reader_sets(const ReadersOf& readers, const ReaderSets* before = nullptr) const {
        return {app_, readers, before};
    }

  private:
    struct Work;
    void add(const PageRecord& record, std::size_t position, const ReaderSets& reader_sets,
             Work& work) const;
    // The readers whom changes of the page concern. `whole`: the page has all changes of its
    // transactions.
    Moved moved(const Page& page, bool whole, const ReaderSets& reader_sets,
                const Work& work) const;

    const App& app_;
    const CursorSealer& cursors_;
    db::Pool& data_;
    Counts& counts_;
};

}  // namespace svc::feed
