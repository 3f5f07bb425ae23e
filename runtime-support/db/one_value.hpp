// The first column of the one row that a statement gives.
#pragma once

#include <optional>
#include <string>

#include "db/pool.hpp"

namespace svc::db {

// Nothing where there is no row, or where its value is null.
class OneText : public RowSink {
  public:
    void row(const Row& row) override {
        text.reset();
        if (!row.null(0)) text = row.text(0);
    }
    std::optional<std::string> text;
};

class OneFlag : public RowSink {
  public:
    void row(const Row& row) override { set = row.text(0) == "t"; }
    bool set = false;
};

}  // namespace svc::db
