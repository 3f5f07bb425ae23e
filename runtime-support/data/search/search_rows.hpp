// The rows that a search finds in one table.
#pragma once

#include <optional>

#include "data/columns.hpp"
#include "db/pool.hpp"

namespace svc::data::search {

// Searches `entity` as its caller may read it. It must not move once command() was called.
class SearchRows final : public db::RowSink {
  public:
    // `bytes`: of the rows of all tables so far; those beyond kMostBytes are left out.
    SearchRows(const Entity& entity, Visible visible, bool snippets, std::size_t& bytes);

    // False if the caller may read none of the fields that are searched.
    bool asks() const { return asks_; }
    // `words` and `limit` must outlive the exchange.
    db::Command command(std::string_view words, std::string_view limit);

    void row(const Row& row) override;
    // {"table":…,"rows":[…]}, and "truncated":true if some were left out
    void print(std::string& out) const;

  private:
    std::string snippet_sql() const;
    void print_snippets(const Row& row);

    const Entity& entity_;
    const Visible visible_;
    const bool snippets_;
    std::size_t& bytes_;
    bool asks_ = false;
    bool truncated_ = false;
    std::optional<std::string> classes_;  // {A,B}: those they may read; none: all
    std::vector<unsigned> fields_;        // searched ones that they may read
    std::string sql_;                     // with snippets
    std::vector<db::Param> params_;
    std::string rows_, snippets_json_;
};

}  // namespace svc::data::search
