// The envelope of a result whose columns are not known beforehand.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "db/pool.hpp"

namespace svc::data::sql {

class RawRows final : public db::RowSink {
  public:
    RawRows(std::string& body, std::size_t limit) : body_(body), limit_(limit) {}

    // A row is an object, which has each name once: later columns of the same name are a_2, a_3.
    void columns(std::span<const db::ResultColumn> columns) override;
    bool describes() const override { return true; }
    void row(const Row& row) override;
    bool enough() const override { return truncated_ && rows_ != limit_; }
    // `row_count` where no rows came back but some were written.
    void finish(std::size_t row_count);
    std::size_t rows() const { return rows_; }
    // False once a row had to be left out.
    bool takes_more() const { return !truncated_; }

  private:
    using Writer = void (*)(Out&, std::string_view, const Row&, int);
    struct ShownColumn {
        int index;
        std::string name, key;
        unsigned type;
        Writer write;
    };

    std::string& body_;
    std::size_t limit_;
    std::size_t rows_ = 0;
    bool truncated_ = false;
    std::vector<ShownColumn> shown_;
    std::string printed_;
};

}  // namespace svc::data::sql
