// Rows that a reader may newly read, or no longer read, because a row of another table changed. The
// reader gets a reset, to read the rows again.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "feed/judge/judged_table.hpp"
#include "feed/judge/recorded_row.hpp"
#include "feed/reader/reader_sets.hpp"

namespace svc::feed {

class Moved {
  public:
    // Notes whom the changes of a table on this page move. `whole`: the page has all changes of the
    // transactions on it.
    void note(const JudgedTable& table, bool whole);
    // Notes whom a change may move of those whose policies look at the rows of this table. It is
    // cheapest to note the last change of a page first.
    void note_change(const std::vector<const Lookers*>& lookers, const PageRecord& record,
                     std::size_t position);

    // The resets to send before the record at this position; `at` is the cursor before it.
    std::vector<EventPtr> resets(std::size_t position, const Cursor& at,
                                 const CursorSealer& cursors) const;

  private:
    void add(const ReaderPtr& reader, std::size_t position);
    void add_all(const Lookers& lookers, std::size_t position);
    void add_with(const Lookers& lookers, const Maybe<std::string>& value, std::size_t position);

    std::map<ReaderId, std::pair<ReaderPtr, std::size_t>> last_;
    // What was noted, with the value of the key. Without a value: all of them.
    std::set<std::pair<const Lookers*, std::optional<std::string>>> noted_;
};

}  // namespace svc::feed
