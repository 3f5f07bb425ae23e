// Rows that a reader may newly read, or no longer read, because a row of another table changed. The
// reader gets a reset, to read the rows again.
#pragma once

#include <map>

#include "feed/judge/judged_table.hpp"
#include "feed/reader/reader_sets.hpp"

namespace svc::feed {

class Moved {
  public:
    // Notes whom the changes of a table on this page move.
    void note(const JudgedTable& table);
    // Notes all readers of the tables whose policies read this one, if it is not known whom a
    // change moves. `made`: a row was made, and none changed.
    void note_all(const ReaderSets& reader_sets, const Entity& changed, bool made,
                  std::size_t position);

    // The resets to send before the record at this position; `at` is the cursor before it.
    std::vector<EventPtr> resets(std::size_t position, const Cursor& at,
                                 const CursorSealer& cursors) const;

  private:
    void add(const ReaderPtr& reader, std::size_t position);

    std::map<ReaderId, std::pair<ReaderPtr, std::size_t>> last_;
};

}  // namespace svc::feed
