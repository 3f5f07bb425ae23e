// The query-result envelope, printed row by row from the connection's reader.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "data/columns.hpp"
#include "db/pool.hpp"
#include "svc/query.hpp"

namespace svc::data {

// The envelope's `fields` for some of the columns.
void append_fields(std::string& out, const Entity& entity, const ColumnSet& columns);

class Envelope final : public db::RowSink {
  public:
    static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

    // Rows past `limit` are not printed; they make the result truncated.
    Envelope(const Entity& entity, Visible visible, std::string& body,
             std::size_t limit = kNoLimit);

    // Of a named query.
    Envelope(const Query& query, std::string& body, std::size_t limit);

    void row(const Row& row) override;
    // Completes the text. Nothing is printed after it.
    void finish() { finish(rows_); }
    // Where more rows were written than are told.
    void finish(std::size_t row_count);
    // The form of a page with a cursor; empty: there is no next page.
    void finish_page(std::string_view next_cursor);
    // A further member of the end, as JSON: ,"count":12
    void add(std::string_view member) { members_ += member; }
    std::size_t rows() const { return rows_; }
    // Keeps the version of the last row; see row_version().
    void keep_version() { keeps_version_ = true; }
    const std::string& version() const { return version_; }

  private:
    void fields();
    void end_rows(std::size_t row_count);

    void (*const write_row_)(const Row& row, const ColumnSet& visible, Out& out);
    const std::string_view fields_json_;  // of all columns
    const Entity* const entity_ = nullptr;
    Visible visible_;
    std::string& body_;
    std::string members_;
    std::size_t limit_;
    std::size_t rows_ = 0;
    bool truncated_ = false;
    bool keeps_version_ = false;
    std::string version_;
};

}  // namespace svc::data
