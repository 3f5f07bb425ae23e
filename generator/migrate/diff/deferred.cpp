// Large tables: what would keep them locked for as long as their rows take is done before the
// transaction, or after it, while they are read and written.
#include "base/sha256.hpp"
#include "migrate/diff/definition.hpp"
#include "migrate/diff/diff.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::ident;

class Deferral {
  public:
    Deferral(const Schema& schema, std::int64_t large, Diff& diff)
        : schema_(schema), large_(large), diff_(diff) {}

    void run() {
        for (const Step& step : diff_.steps) {
            const bool makes = step.change.kind == ChangeKind::add_column ||
                               step.change.kind == ChangeKind::alter_type;
            if (makes) unstored_.insert({step.change.table, step.change.column});
        }
        std::vector<Step> kept;
        for (Step& step : diff_.steps) {
            if (!is_large(step.change.table) || !moved(step)) kept.push_back(std::move(step));
        }
        diff_.steps = std::move(kept);
    }

  private:
    bool is_large(const std::string& table) const {
        const auto found = schema_.tables.find(table);
        return found != schema_.tables.end() && found->second.rows > large_;
    }

    // Whether nothing of it is left for the transaction.
    bool moved(Step& step) {
        if (step.change.kind == ChangeKind::set_not_null) return stand_in(step);
        if (step.change.kind == ChangeKind::fill_words) return fill_by_parts(step);
        if (step.key.first != ObjectKind::constraint && step.key.first != ObjectKind::index)
            return false;
        const Definition definition = definition_of(step.change.sql);
        switch (definition.kind) {
            case Definition::Kind::check:
            case Definition::Kind::foreign_key:
                return validate_later(step);
            case Definition::Kind::unique:
                return unique(step, definition);
            case Definition::Kind::index:
                return definition.unique_index ? unique_index(step) : later(step);
            case Definition::Kind::other:
                return false;
        }
        return false;
    }

    bool later(const Step& step) {
        std::string shown = step.change.sql;
        if (step.key.first == ObjectKind::index) shown = concurrently(shown, step.key.second);
        diff_.later.push_back({step.key, step.change.table, step.change.sql, step.path, shown});
        return true;
    }

    // A search finds what was taken in so far, and what is written from now on.
    bool fill_by_parts(Step& step) {
        step.change.sql.replace(step.change.sql.rfind('('), std::string::npos, "(true)");
        return later(step);
    }

    static std::string alter_table(const Step& step) {
        return "alter table " + plan::table(step.change.table) + " ";
    }

    // New rows must fit from now on; those that are there were asked already.
    bool validate_later(Step& step) {
        const std::string name = step.key.second.substr(step.key.second.find('.') + 1);
        diff_.later.push_back({step.key, step.change.table, step.change.sql, step.path,
                               alter_table(step) + "validate constraint " + ident(name)});
        step.change.sql += " not valid";
        return false;
    }

    bool stand_in(Step& step) {
        const Key key{ObjectKind::not_null, step.change.table + "." + step.change.column};
        const std::string name = ident(stand_in_name(key.second));
        diff_.later.push_back(
            {key, step.change.table, step.change.sql, step.path, step.change.sql});
        step.change.kind = ChangeKind::add_constraint;
        step.change.sql = alter_table(step) + "add constraint " + name + " check (" +
                          ident(step.change.column) + " is not null) not valid";
        return false;
    }

    // A list of columns as they are called now; empty if one of them has no values yet, or other
    // ones.
    std::string names_now(const std::string& table, const std::string& columns) const {
        const auto shape = diff_.shapes.find(table);
        if (shape == diff_.shapes.end()) return {};
        std::string out, rest = columns + ", ";
        for (std::size_t at = 0; (at = rest.find(", ")) != std::string::npos;
             rest.erase(0, at + 2)) {
            std::string now;
            for (const auto& [name, stored] : shape->second.stored) {
                if (ident(name) == rest.substr(0, at)) now = ident(stored);
            }
            if (now.empty()) return {};
            out += (out.empty() ? "" : ", ") + now;
        }
        return out;
    }

    bool unique(Step& step, const Definition& definition) {
        const std::string columns = names_now(step.change.table, definition.columns);
        if (columns.empty()) return later(step);
        const std::string on =
            " on " + plan::table(present_name(schema_, step.change.table)) + " (" + columns + ")";
        const std::string name = build_name(on);
        before(step, "create unique index concurrently " + name + on);
        step.change.sql.replace(step.change.sql.rfind("unique ("), std::string::npos,
                                "unique using index " + name);
        return false;
    }

    // Its expressions and its condition are kept only if they mean the same now.
    bool unique_index(Step& step) {
        if (schema_.called.contains(step.change.table)) return later(step);
        for (const auto& [name, stored] : diff_.shapes[step.change.table].stored) {
            if (name != stored && mentions(step.change.sql, name)) return later(step);
        }
        for (const auto& [table, column] : unstored_) {
            if (table == step.change.table && mentions(step.change.sql, column)) return later(step);
        }
        const std::string name = build_name(step.change.sql);
        before(step, concurrently(step.change.sql, name));
        step.change.sql = "alter index public." + name + " rename to " + ident(step.key.second);
        return false;
    }

    void before(const Step& step, std::string sql) {
        Step build = step;
        build.change.kind = ChangeKind::build_index;
        build.change.sql = std::move(sql);
        build.change.when = When::before;
        diff_.first.push_back(std::move(build));
    }

    const Schema& schema_;
    const std::int64_t large_;
    Diff& diff_;
    RecomputedColumns unstored_;  // columns that this migration makes, or gives another type
};

}  // namespace

void deferred(const Schema& schema, std::int64_t large, Diff& diff) {
    Deferral(schema, large, diff).run();
}

std::string build_name(const std::string& what) {
    return kBuild + base::sha256_hex(what).substr(0, 16);
}

std::string stand_in_name(const std::string& table_and_column) {
    return "svc_filled_" + base::sha256_hex(table_and_column).substr(0, 16);
}

}  // namespace svc::migrate
