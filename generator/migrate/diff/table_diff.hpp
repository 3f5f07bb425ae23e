// Compares one table of the plan with the table in the database.
#pragma once

#include <map>
#include <set>
#include <string>

#include "migrate/diff/diff.hpp"

namespace svc::migrate {

class TableDiff {
  public:
    TableDiff(const plan::Plan& plan, const plan::Table& table, const Schema& schema,
              RecomputedColumns& recomputed, Diff& out)
        : plan_(plan), table_(table), schema_(schema), recomputed_(recomputed), out_(out) {}

    void run();

  private:
    // ---- the table ----
    void create();
    void alter();
    void adopt();
    void rename();
    void release_others();
    void keep_shape();
    std::string shape_of(const plan::Column& column, std::set<std::string>& unknown) const;

    // ---- its columns ----
    static std::string definition(const plan::Column& column);
    void change_type(const plan::Column& column);
    void ask_cast(const plan::Column& column, const std::string& was, const std::string& type);
    void disturb(const plan::Column& column);
    void release_made_of(const TableColumn& changed);
    void drop_expression(const std::string& name, ColumnState& state);
    void drop_generated(const plan::Column& column);
    void bring(const plan::Column& column);
    void bring_default(const plan::Column& column, const ColumnState& now);
    void bring_not_null(const plan::Column& column, const ColumnState& now);
    void bring_generated(const plan::Column& column);
    void add(const plan::Column& column);

    // ---- what is recorded ----
    void record(ObjectKind kind, const std::string& name, const std::string& text, bool wanted);
    void record_column(const plan::Column& column);
    bool is_as_recorded(ObjectKind kind, const plan::Column& column, const std::string& text);

    void step(ChangeKind kind, const std::string& column, std::string sql, const std::string& path);
    std::string alter_table() const;
    std::string alter_column(const std::string& column) const;
    std::string key(const plan::Column& column) const { return table_.name + "." + column.name; }
    std::string name_now(const plan::Column& column) const;
    std::string word_now(const plan::Column& column) const;
    bool was_computed(const plan::Column& column) const;
    bool is_field(const std::string& name) const;
    std::string path_of(const std::string& column) const;  // the table's if it is no column

    const plan::Plan& plan_;
    const plan::Table& table_;
    const Schema& schema_;
    RecomputedColumns& recomputed_;
    Diff& out_;
    TableState now_;                                    // as it will be after the steps so far
    std::map<std::string, std::string> was_;            // renamed columns: the name before
    std::map<std::string, std::string> cast_;           // values in their new type
    std::map<std::string, const plan::Column*> added_;  // new columns, or made anew
};

}  // namespace svc::migrate
