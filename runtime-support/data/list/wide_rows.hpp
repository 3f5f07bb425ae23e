// Whether a page of rows may be large, so that it is taken row by row; and whether the index of the
// newest rows is there, which a large table gets after an apply.
#pragma once

#include <chrono>
#include <string>

#include "db/pool.hpp"
#include "svc/entity.hpp"

namespace svc::data::list {

// PostgreSQL stores long values outside of their rows. If a table has hardly any, its pages are
// small. The answer is cached for a second.
class WideRows final : public db::RowSink {
  public:
    // `rows` comes after command() in the same exchange, and learns it before its first row is
    // taken. One that is taken row by row in any case has nothing to learn but whether there is an
    // index of the newest rows.
    WideRows(const Entity& entity, db::Command& rows);

    // True once a page has found the index: lists by it are quick.
    static bool newest_indexed(const Entity& entity);

    // False if it is known.
    bool asks() const { return !sql_.empty(); }
    db::Command command();
    void row(const Row& row) override;
    bool forgets() const override { return true; }

  private:
    struct Known {
        bool wide = false, newest_indexed = false;
        std::chrono::steady_clock::time_point until;
    };
    static Known& known(const Entity& entity);

    Known& known_;
    db::Command& rows_;
    std::string sql_;
};

}  // namespace svc::data::list
