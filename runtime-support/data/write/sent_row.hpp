// The answer to a creator who may not read what they created: the columns that they sent, and the
// id.
#pragma once

#include <string>
#include <string_view>

#include "db/pool.hpp"
#include "json/json_reader.hpp"
#include "svc/entity.hpp"

namespace svc::data::write {

// The key that the database gave to a new row.
struct KeyOf final : db::RowSink {
    void row(const Row& row) override;
    std::string text, json;
};

// Prints the whole envelope into `body`, row by row.
class SentRows {
  public:
    SentRows(const Entity& entity, std::string& body);
    void sent(const json::Values& values, std::string_view id);
    // Adds a row that the caller may read, already printed with these columns.
    void seen(std::string_view row, const ColumnSet& columns);
    void finish();

  private:
    void begin_row();

    const Entity& entity_;
    std::string& body_;
    ColumnSet shown_{0};
    std::size_t rows_ = 0;
};

}  // namespace svc::data::write
