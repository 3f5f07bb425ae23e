// What a search finds in one table.
#pragma once

#include <optional>

#include "data/columns.hpp"
#include "db/pool.hpp"

namespace svc::data {

// Searches `entity` as its caller may read it. It must not move once command() was called.
class SearchRows final : public db::RowSink {
  public:
    SearchRows(const Entity& entity, Visible visible, bool snippets);

    // False where the caller may read none of the fields that are searched.
    bool asks() const { return asks_; }
    // `words` and `limit` must outlive the exchange.
    db::Command command(std::string_view words, std::string_view limit);

    void row(const Row& row) override;
    // {"table":…,"rows":[…]}
    void print(std::string& out) const;

  private:
    std::string snippet_sql() const;

    const Entity& entity_;
    const Visible visible_;
    const bool snippets_;
    bool asks_ = false;
    std::optional<std::string> classes_;  // {A,B}: those he may read; none: all
    std::vector<unsigned> fields_;        // searched ones that he may read
    std::string sql_;                     // with snippets
    std::vector<db::Param> params_;
    std::string rows_, snippets_json_;
};

}  // namespace svc::data
