// Pages and components. Entities, fields, transitions and components are indexes in the model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "model/access/principal.hpp"

namespace svc::model {

// A column of an entity: a field of the contract, or one that the compiler makes.
struct Column {
    std::size_t field = 0;
    std::string builtin;  // id, created_at, updated_at, user_id, org_id; then `field` means nothing
    std::string path;     // where the contract names it
};

// A piece of a text with {placeholders}.
struct PageTextPart {
    enum class Kind : std::uint8_t { text, row, user, route } kind = Kind::text;
    std::string text;  // literal; attribute of the caller; parameter of the page's route
    Column column;     // row
};
using PageText = std::vector<PageTextPart>;

// The value of a name: a JSON value, or a text with placeholders.
struct PageValue {
    std::string json;  // where text is empty
    PageText text;
};

enum class FilterOp : std::uint8_t {
    eq,
    neq,
    in,
    not_in,
    lt,
    lte,
    gt,
    gte,
    contains,
    not_contains,
    starts_with,
    ends_with,
    is_null,
    is_not_null,
    between,
    today,
    yesterday,
    this_week,
    this_month,
    this_year,
    last_n_days,
    next_n_days,
    range
};

struct FilterClause {
    Column column;
    FilterOp op = FilterOp::eq;
    std::optional<PageValue> value;  // none: the operator takes none
};

struct Sort {
    Column column;
    bool descending = false;
};

enum class BlockKind : std::uint8_t {
    list,
    table,
    grid,
    board,
    detail,
    form,
    metric,
    chart,
    markdown,
    actions,
    pay,
    auth,
    upload,
    search,
    chat,
    component
};

// The functions of metrics and charts.
enum class Metric : std::uint8_t { count, sum, avg, min, max };
enum class Range : std::uint8_t {
    today,
    this_week,
    last_7_days,
    this_month,
    last_30_days,
    this_quarter,
    this_year,
    all
};
enum class Bucket : std::uint8_t { day, week, month };
enum class ChartKind : std::uint8_t { bar, line, area, pie };

// Settings of all kinds of blocks. The table of keys says which kind has which.
struct Block {
    BlockKind kind = BlockKind::markdown;
    std::string title;
    std::vector<Principal> to;  // never empty: the page's where the block has none

    // Where its rows come from: an entity, or a named query and its columns by name.
    std::optional<std::size_t> entity;
    std::optional<std::string> query;
    std::vector<std::pair<std::string, PageValue>> params;
    std::vector<Column> fields;  // empty: all that the caller may see, of a form: may send
    std::vector<std::string> query_columns;
    std::optional<Sort> sort;
    std::vector<FilterClause> filter;
    std::optional<std::uint32_t> limit;
    PageText id;          // detail, form, actions, pay, upload: of the row; of a form, empty: new
    PageText link, then;  // routes of this app, or https addresses; empty: none
    std::string empty, submit, text, placeholder, greeting;

    std::optional<Column> image;                         // grid
    std::optional<Column> by;                            // board
    std::vector<std::pair<std::size_t, PageValue>> set;  // form

    Metric metric = Metric::count;  // metric and chart
    Range range = Range::all;
    std::optional<Bucket> bucket;
    ChartKind chart = ChartKind::bar;
    std::optional<Column> column, group_by, date_field;
    std::string query_column, query_group_by;
    bool compare = false;

    std::vector<std::size_t> transitions;  // actions; of the entity's lifecycle
    bool remove = false;
    std::vector<std::string> methods;  // pay, auth; empty: all
    bool signup = false;
    std::size_t file_field = 0;            // upload
    std::vector<std::size_t> entities;     // search
    std::optional<std::size_t> component;  // component
    std::vector<std::pair<std::string, PageValue>> props;
    std::string path;
};

struct Nav {
    std::string label, icon;
    std::optional<std::uint32_t> order;
};

struct Page {
    std::string route;                // /orders/:id
    std::vector<std::string> params;  // id
    std::string title;
    std::vector<Principal> to;
    std::optional<Nav> nav;  // none: it is not in the menu
    std::vector<Block> body;
    std::optional<std::size_t> component;  // the whole page; then body is empty
    std::string path;
};

struct Component {
    std::string name;
    std::string source;  // TSX
    std::string sample;  // JSON object; empty: none
    std::string path;
};

}  // namespace svc::model

template <>
struct svc::base::Words<svc::model::PageTextPart::Kind> {
    static constexpr std::array<std::string_view, 4> kAll = {"text", "row", "user", "route"};
};

// As contracts name them; the table of keys lists the same names.
template <>
struct svc::base::Words<svc::model::FilterOp> {
    static constexpr std::array<std::string_view, 23> kAll = {
        "eq",         "neq",         "in",          "not_in",       "lt",          "lte",
        "gt",         "gte",         "contains",    "not_contains", "starts_with", "ends_with",
        "is_null",    "is_not_null", "between",     "today",        "yesterday",   "this_week",
        "this_month", "this_year",   "last_n_days", "next_n_days",  "range"};
};
template <>
struct svc::base::Words<svc::model::Metric> {
    static constexpr std::array<std::string_view, 5> kAll = {"count", "sum", "avg", "min", "max"};
};
template <>
struct svc::base::Words<svc::model::Range> {
    static constexpr std::array<std::string_view, 8> kAll = {
        "today",        "this_week",    "last_7_days", "this_month",
        "last_30_days", "this_quarter", "this_year",   "all"};
};
template <>
struct svc::base::Words<svc::model::Bucket> {
    static constexpr std::array<std::string_view, 3> kAll = {"day", "week", "month"};
};
template <>
struct svc::base::Words<svc::model::ChartKind> {
    static constexpr std::array<std::string_view, 4> kAll = {"bar", "line", "area", "pie"};
};
template <>
struct svc::base::Words<svc::model::BlockKind> {
    static constexpr std::array<std::string_view, 16> kAll = {
        "list",     "table",   "grid", "board", "detail", "form",   "metric", "chart",
        "markdown", "actions", "pay",  "auth",  "upload", "search", "chat",   "component"};
};
