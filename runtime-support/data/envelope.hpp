// The query-result envelope, printed row by row from the connection's reader; or its rows alone,
// where the reader asks for another form than JSON.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "data/columns.hpp"
#include "data/csv.hpp"
#include "data/file_links.hpp"
#include "data/select/shape.hpp"
#include "db/pool.hpp"
#include "svc/query.hpp"

namespace svc::data {

// The most bytes of an answer's rows. Further rows are cut.
inline constexpr std::size_t kMostBytes = std::size_t{16} << 20;

// The envelope's `fields` for some of the columns.
void append_fields(std::string& out, const Entity& entity, const ColumnSet& columns);

class Envelope final : public db::RowSink {
  public:
    static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

    // Rows past `limit` are not printed, nor many more than kMostBytes; they make the result
    // truncated.
    Envelope(const Entity& entity, Visible visible, std::string& body,
             std::size_t limit = kNoLimit);

    // The envelope of a named query.
    Envelope(const Query& query, std::string& body, std::size_t limit);

    // Call it before the first row. If the envelope is not printed, its members go into headers of
    // `reply`. Both outlive it.
    void take(select::Shape& shape, http::Reply& reply);

    // Adds the address of each file of a row as "<field>_url". Null: no addresses.
    void link_files(const FileLinks* files) { files_ = files; }

    void row(const Row& row) override;
    bool enough() const override { return truncated_ && rows_ != limit_; }
    // Completes the text. Nothing is printed after it.
    void finish() { finish(rows_); }
    // Marks that the answer shows fewer rows than were written.
    void finish(std::size_t row_count);
    // Ends a page with the cursor of the next page. Empty: there is no next page.
    void finish_page(std::string_view next_cursor);
    // Sets the total number of rows, and whether it is an estimate.
    void count(std::string_view number, std::optional<bool> estimated);
    std::size_t rows() const { return rows_; }
    // Prints no further rows.
    bool full() const { return rows_ == limit_ || body_.size() > kMostBytes; }
    // Keeps the version of the last row; see row_version().
    void keep_version() { keeps_version_ = true; }
    const std::string& version() const { return version_; }

  private:
    void print(const Row& row, std::string& out);
    void add_links(const Row& row, std::string& out) const;
    bool shows(std::uint16_t column) const;
    void print_alone(const Row& row);
    void fields(std::string& out) const;
    void end_rows(std::size_t row_count);
    void end();
    void finish_alone(std::size_t row_count);

    void (*const write_row_)(const Row& row, const ColumnSet& visible, Out& out);
    const std::string_view fields_json_;  // of all columns
    const Entity* const entity_ = nullptr;
    const FileLinks* files_ = nullptr;
    Visible visible_;
    select::SelectedRows* selected_ = nullptr;
    Format format_ = Format::json;
    http::Reply* reply_ = nullptr;
    std::optional<Csv> csv_;
    std::string line_;
    std::string& body_;
    std::string count_;
    std::optional<bool> estimated_;
    std::size_t limit_;
    std::size_t rows_ = 0;
    bool truncated_ = false;
    bool keeps_version_ = false;
    std::string version_;
};

}  // namespace svc::data
