// The changes of one table on a page, and who may see what of them.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "data/query_text.hpp"
#include "feed/page.hpp"
#include "feed/reader/reader_set.hpp"

namespace svc::feed {

// A row before or after a change.
struct Version {
    bool there = false;
    ReaderDecisions readers;  // all other readers do not see it
    std::vector<bool> fits;   // by filter

    bool shows(std::uint32_t who) const;  // True if this reader sees the row, or saw it
    bool fits_in(const ReaderView& view) const {
        return view.filter >= fits.size() || fits[view.filter];
    }
    void inherit(const Version& row, const ReaderSet& own, const ReaderSet& above);
};

// Reads the rows of its changes in PostgreSQL's text form, two a change, and judges each by the
// compiled policy.
class JudgedTable : public db::RowSink {
  public:
    // `reader_set` outlives it.
    explicit JudgedTable(const ReaderSet& reader_set) : reader_set_(reader_set) {}

    void add(const PageRecord& record, std::size_t position);
    // Run the statement with this sink.
    data::QueryText rows_text(std::string_view timezone) const;
    void row(const Row& row) override;

    const Entity& entity() const { return reader_set_.entity(); }
    const std::vector<const Filter*>& filters() const { return reader_set_.filters(); }
    // As filters_text() of feed/judge/row_texts.hpp.
    data::QueryText filters_text(std::size_t first, std::size_t end) const;
    std::size_t bytes() const { return rows_.size(); }  // of its rows as JSON, one at least
    // The row of this number (two a change) fits the filter.
    void fits(std::size_t row, std::size_t filter) { version(row).fits[filter] = true; }

    // The question that only the database can answer, if there is one: rows and callers as JSON.
    struct Question {
        std::string rows, callers;
        std::vector<std::size_t> row;  // the row at each position
        std::vector<std::uint32_t> caller;
        std::string above;  // ids of rows above that doubt() is about, as JSON; empty: none
    };
    Question question() const;
    void answer(std::size_t row, std::uint32_t caller);
    // The row above with this id was deleted after the page. So nobody can tell any more who could
    // read the rows below that left before it. moved() returns all readers for whom this is
    // undecided.
    void doubt(std::string_view above);
    // Marks that the changes cannot be judged. moved() then returns all readers whom they may
    // concern.
    void give_up() { given_up_ = true; }

    // The look over which rows of another table decide for these; null: none do.
    const Look* above() const;
    // Notes who could read the row above as it was before the page deleted it. If the database can
    // no longer say who may read a row below, these callers may.
    void inherit(const JudgedTable& above);

    // Adds to each event what the readers see of it.
    void fill(std::vector<std::shared_ptr<Event>>& events) const;
    // After give_up(): all readers. Else the readers of `decided` who may now read a row that they
    // could not read, or the reverse, with each change that did it; and those of doubt(). `whole`:
    // of a deleted row, the page has all rows that were deleted with it, and inherit() was called
    // for their tables.
    using Moves = std::vector<std::pair<ReaderPtr, std::size_t>>;
    Moves moved(bool whole) const;

  private:
    struct Change {
        std::size_t position = 0;  // on the page
        std::string id;
        std::string above_before, above_after;  // the id of the row above; empty: none
        Version before, after;
        bool in_doubt = false;          // as doubt() says
        std::vector<bool> changed;      // by mask
        std::vector<std::string> rows;  // by mask; empty: nobody of it sees the row
    };
    Version& version(std::size_t row) {
        Change& change = changes_[row / 2];
        return row % 2 == 0 ? change.before : change.after;
    }
    const Version* last_seen(const std::string& id, std::size_t position) const;
    bool may_leave(const Change& change) const;
    std::string left_above() const;
    void note_above(const Row& row, std::size_t number);
    void judge(const Row& row, Version& version);
    void render(const Row& row, Change& change);
    void fill(const Change& change, Event& event) const;
    void add_doubtful(const Change& change, Moves& out) const;
    void add_decided(const Change& change, Moves& out) const;

    const ReaderSet& reader_set_;
    std::vector<Change> changes_;
    std::unordered_map<std::string, std::vector<std::size_t>> changes_of_;  // by id, in order
    std::string rows_ = "[";                                                // as JSON
    std::vector<std::string> texts_;                                        // of each row
    std::size_t next_row_ = 0;
    bool given_up_ = false;
    std::vector<Maybe<std::string>> last_;  // the columns of the row before the present one
};

}  // namespace svc::feed
