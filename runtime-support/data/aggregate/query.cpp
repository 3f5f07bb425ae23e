#include "data/aggregate/query.hpp"

#include <algorithm>

#include "data/filter/zone.hpp"
#include "data/query_params.hpp"
#include "http/exchange.hpp"

namespace svc::data::aggregate {

namespace {

bool is_dated(const Column& column) {
    return column.type == Type::date || column.type == Type::timestamp;
}

Error not_dated(std::string_view param, const Column& column) {
    Error error = bad_params(std::string(param) + " works on dates, and " +
                             std::string(column.name) + " is none.");
    error.field = column.name;
    return error;
}

// Absent and "0" are no, "1" is yes.
Result<bool> flag(std::string_view query, std::string_view name) {
    const http::QueryParam param = http::query_param(query, name);
    if (!param.found || param.value == "0") return false;
    if (param.value == "1") return true;
    return bad_params(std::string(name) + " takes 1.");
}

Result<filter::Bucket> bucket_named(std::string_view name) {
    if (const auto bucket = base::read_word<filter::Bucket>(name)) return *bucket;
    return bad_params("bucket must be day, week or month.");
}

// Puts the statement together, a part after the other.
class Builder {
  public:
    Builder(const Entity& entity, const ColumnSet& visible, PrincipalSet principals, const App& app,
            std::string_view query)
        : entity_(entity),
          visible_(visible),
          app_(app),
          query_(query),
          joins_(entity, principals) {}

    Result<AggregateQuery> build() {
        using Part = std::optional<Error> (Builder::*)();
        constexpr Part kParts[] = {&Builder::metrics, &Builder::zone, &Builder::window,
                                   &Builder::groups, &Builder::conditions};
        for (const Part part : kParts) {
            if (auto error = (this->*part)()) return *error;
        }
        out_.text.sql = "with w as materialized (select " + window_columns() + "),\ng as (" +
                        (group_ ? grouped() : whole()) + ")\nselect w.*, g.* from w " +
                        (group_ ? ranked() : "cross join g");
        return std::move(out_);
    }

  private:
    std::optional<Error> metrics() {
        auto read = read_metrics(entity_, visible_, query_);
        if (!read) return read.error();
        out_.metrics = std::move(*read);
        return std::nullopt;
    }

    std::optional<Error> zone() {
        auto asked = filter::asked_zone(query_, "UTC");
        if (!asked) return asked.error();
        // In a filter days are the app's unless the request says otherwise.
        auto usual = filter::asked_zone(query_, app_.timezone);
        if (!usual) return usual.error();
        filter_zone_ = std::move(*usual);
        zone_ = out_.text.bind(std::move(*asked), Type::text) + "::text";
        return std::nullopt;
    }

    std::optional<Error> window() {
        const auto compare = flag(query_, "compare");
        if (!compare) return compare.error();
        const http::QueryParam field = http::query_param(query_, "dateField");
        const http::QueryParam range = http::query_param(query_, "range");
        if (field.found || range.found) {
            const auto found =
                aggregated_column(entity_, visible_, field.found ? field.value : "created_at");
            if (!found) return found.error();
            date_ = *found;
            if (!is_dated(*date_)) return not_dated("dateField", *date_);
        }
        if (!range.found && *compare) return bad_params("compare needs a range as well.");
        if (!range.found) return std::nullopt;
        auto window = filter::named_window(range.value, {date_->type, zone_, *compare});
        if (!window) return window.error();
        window_ = std::move(*window);
        out_.windowed = true;
        out_.window_type = date_->type;
        bounded_ = range.value != "all";
        out_.compare = *compare && bounded_;
        return std::nullopt;
    }

    std::optional<Error> groups() {
        const http::QueryParam by = http::query_param(query_, "groupBy");
        const http::QueryParam bucket = http::query_param(query_, "bucket");
        const auto fill = flag(query_, "fill");
        if (!fill) return fill.error();
        out_.fill = *fill;
        if (bucket.found && !by.found) return bad_params("bucket needs groupBy as well.");
        if (*fill && !bucket.found) return bad_params("fill needs a bucket as well.");
        if (!by.found) return std::nullopt;
        auto found = filter::FilterScope{entity_, visible_, {}, &joins_}.find(by.value);
        if (!found) {
            Error error = found.error();
            error.sqlstate.clear();
            return error;
        }
        group_ = std::move(*found);
        out_.key = group_->column->type;
        if (!bucket.found) return std::nullopt;
        const auto named = bucket_named(bucket.value);
        if (!named) return named.error();
        if (!is_dated(*group_->column)) return not_dated("bucket", *group_->column);
        out_.bucket = *named;
        out_.key = Type::date;
        return std::nullopt;
    }

    std::optional<Error> conditions() {
        const auto read =
            condition_params({entity_, visible_, filter_zone_, &joins_}, query_, out_.text);
        if (!read) return read.error();
        where_ = read->empty() ? "" : "(" + *read + ')';
        if (!bounded_) return std::nullopt;
        const std::string date = quoted_name(date_->name);
        const std::string from = out_.compare ? "previous_from" : "from_";
        where_ += (where_.empty() ? "" : " and ") + date + " >= (select " + from + " from w) and " +
                  date + " < (select to_ from w)";
        in_window_ = date + " >= (select from_ from w)";
        before_ = date + " < (select previous_to from w)";
        // Rows between the two periods belong to neither.
        if (out_.compare) where_ += " and (" + in_window_ + " or " + before_ + ')';
        return std::nullopt;
    }

    std::string window_columns() const {
        const std::string type = out_.window_type == Type::date ? "::date" : "::timestamptz";
        const auto as = [](const std::string& sql, const char* name) {
            return sql + " as " + name;
        };
        const auto cast = [&](const std::string& sql) {
            return sql.empty() ? "null" + type : "(" + sql + ')' + type;
        };
        const auto first = [&](const std::string& sql) {
            return filled() ? filter::bucket_of(*out_.bucket, sql, date_->type, zone_)
                            : "null::date";
        };
        const auto last = [&](const std::string& sql) {
            return filled() ? filter::bucket_before(*out_.bucket, sql, date_->type, zone_)
                            : "null::date";
        };
        return as(cast(window_.from), "from_") + ", " + as(cast(window_.to), "to_") + ",\n" +
               as(cast(window_.previous_from), "previous_from") + ", " +
               as(cast(window_.previous_to), "previous_to") + ",\n" +
               as(first(window_.from), "first") + ", " + as(last(window_.to), "last") + ",\n" +
               as(first(window_.previous_from), "previous_first") + ", " +
               as(last(window_.previous_to), "previous_last");
    }

    // Gaps reach to the window's ends if it is the window's own column that is counted by.
    bool filled() const { return out_.fill && bounded_ && group_->own && group_->column == date_; }

    std::string from() const {
        return " from " + listed_rows(entity_) + ' ' + std::string(filter::kRows) + joins_.sql() +
               (where_.empty() ? "" : "\nwhere " + where_);
    }

    std::string values(const std::string& condition) const {
        std::string sql;
        for (const Metric& metric : out_.metrics.each) {
            sql += ",\n" + metric_sql(metric, condition);
        }
        return sql;
    }

    // Now and before side by side in one row.
    std::string whole() const {
        const std::string now = out_.compare ? values(in_window_) : values("");
        return "select true as found, null as current, null as key" + now +
               (out_.compare ? values(before_) : "") + from();
    }

    std::string grouped() const {
        const std::string key =
            out_.bucket ? filter::bucket_of(*out_.bucket, group_->sql, group_->column->type, zone_)
                        : group_->sql;
        return "select true as found, " + (out_.compare ? '(' + in_window_ + ')' : "true") +
               " as current, " + key + " as key" + values("") + from() + "\ngroup by 2, 3";
    }

    static std::string ranked() {
        return "left join (select *, row_number() over (partition by current order by key nulls "
               "last)"
               " as place from g) g on g.place <= " +
               std::to_string(kMostGroups + 1) + "\norder by g.current desc, g.key nulls last";
    }

    const Entity& entity_;
    const ColumnSet& visible_;
    const App& app_;
    const std::string_view query_;
    AggregateQuery out_;
    std::string zone_, filter_zone_, where_, in_window_, before_;
    filter::Window window_;
    const Column* date_ = nullptr;
    std::optional<filter::Named> group_;
    filter::Joins joins_;   // columns of referenced rows that filters and groups name
    bool bounded_ = false;  // by a range other than `all`
};

}  // namespace

Result<AggregateQuery> read_aggregate_query(const Entity& entity, const ColumnSet& visible,
                                            PrincipalSet principals, const App& app,
                                            std::string_view query) {
    return Builder(entity, visible, principals, app, query).build();
}

}  // namespace svc::data::aggregate
