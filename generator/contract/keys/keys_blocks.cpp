// The blocks of a page: an object with one key that names the block, and its settings.
#include "contract/keys/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kEntityOrQuery[] = {"entity", "query"};
constexpr std::string_view kDirections[] = {"asc", "desc"};
constexpr std::string_view kOperators[] = {
    "eq",         "neq",         "in",          "not_in",       "lt",          "lte",
    "gt",         "gte",         "contains",    "not_contains", "starts_with", "ends_with",
    "is_null",    "is_not_null", "between",     "today",        "yesterday",   "this_week",
    "this_month", "this_year",   "last_n_days", "next_n_days",  "range"};
constexpr std::string_view kMetrics[] = {"count", "sum", "avg", "min", "max"};
constexpr std::string_view kRanges[] = {"today",        "this_week",    "last_7_days", "this_month",
                                        "last_30_days", "this_quarter", "this_year",   "all"};
constexpr std::string_view kBuckets[] = {"day", "week", "month"};
constexpr std::string_view kCharts[] = {"bar", "line", "area", "pie"};
constexpr std::string_view kPayMethods[] = {"offline", "card"};

constexpr Key kSortKeys[] = {
    {"field", string, "field to sort by", kRequired},
    {"dir", string, "asc or desc; default asc", kOptional, nullptr, kDirections},
};
constexpr Shape kSort{"sort", kSortKeys};

constexpr Key kClauseKeys[] = {
    {"field", string, "field to compare", kRequired},
    {"op", string, "comparison; default eq", kOptional, nullptr, kOperators},
    {"value", any, "value to compare with; {user.id} and {route.id} are placeholders"},
};
constexpr Shape kClause{"filter clause", kClauseKeys};

// Keys that several blocks have.
constexpr Key kTitle{"title", string, "heading of the block"};
constexpr Key kTo{"to", string_or_strings,
                  "principals that see the block; default all who may open the page"};
constexpr Key kSource{"entity", string, "entity whose rows are shown"};
constexpr Key kQuerySource{"query", string, "named query whose rows are shown"};
constexpr Key kParams{"params", any_map, "values of the query's parameters"};
constexpr Key kFields{
    "fields", strings,
    "fields of the entity or columns of the query, in order; default all that may be read"};
constexpr Key kSorted{"sort", object, "order of the rows", kOptional, &kSort};
constexpr Key kFilter{"filter", objects, "conditions that every shown row meets", kOptional,
                      &kClause};
constexpr Key kLimit{"limit", count, "rows per page, 1 to 500; default 50"};
constexpr Key kLink{"link", template_, "page that opens when a row is clicked: /orders/{id}"};
constexpr Key kEmpty{"empty", string, "text to show when there are no rows"};
constexpr Key kId{"id", template_, "id of the row; default {route.id}"};
constexpr Key kThen{"then", template_, "page that opens afterwards: /orders/{id}"};
constexpr Key kMetric{"metric",  string,  "aggregate function; default count",
                      kOptional, nullptr, kMetrics};
constexpr Key kColumn{"column", string, "field of the entity or column of the query to aggregate"};
constexpr Key kRange{"range",   string,  "period whose rows count; default all",
                     kOptional, nullptr, kRanges};
constexpr Key kDateField{"dateField", string, "date field for range; default created_at"};

constexpr Key kListKeys[] = {kTitle,  kTo,     kSource, kQuerySource, kParams, kFields,
                             kSorted, kFilter, kLimit,  kLink,        kEmpty};
constexpr Shape kList{"list", kListKeys, kEntityOrQuery};
constexpr Shape kTable{"table", kListKeys, kEntityOrQuery};

constexpr Key kGridKeys[] = {kTitle,
                             kTo,
                             kSource,
                             kQuerySource,
                             kParams,
                             kFields,
                             {"image", string, "file or url field with the picture of a row"},
                             kSorted,
                             kFilter,
                             kLimit,
                             kLink,
                             kEmpty};
constexpr Shape kGrid{"grid", kGridKeys, kEntityOrQuery};

constexpr Key kBoardKeys[] = {
    kTitle,
    kTo,
    {"entity", string, "entity whose rows are the cards", kRequired},
    {"by", string,
     "enum or lifecycle field whose values are the columns; default the lifecycle field"},
    kFields,
    kSorted,
    kFilter,
    kLimit,
    kLink};
constexpr Shape kBoard{"board", kBoardKeys};

constexpr Key kDetailKeys[] = {kTitle, kTo, kSource, kQuerySource, kParams, kId, kFields};
constexpr Shape kDetail{"detail", kDetailKeys, kEntityOrQuery};

constexpr Key kFormKeys[] = {
    kTitle,
    kTo,
    {"entity", string, "entity whose row the form creates or updates", kRequired},
    {"id", template_, "id of the row to update; without it the form creates a row"},
    {"fields", strings, "fields that the form asks for; default all that may be written"},
    {"set", any_map, "values that the form sends by itself: {\"order_id\": \"{route.id}\"}"},
    {"submit", string, "text of the button"},
    kThen};
constexpr Shape kForm{"form", kFormKeys};

constexpr Key kMetricKeys[] = {
    kTitle,
    kTo,
    kSource,
    kQuerySource,
    kParams,
    kMetric,
    kColumn,
    kFilter,
    kRange,
    kDateField,
    {"compare", flag, "with range: whether the previous period is shown too"}};
constexpr Shape kMetricBlock{"metric", kMetricKeys, kEntityOrQuery};

constexpr Key kChartKeys[] = {
    kTitle,
    kTo,
    kSource,
    kQuerySource,
    kParams,
    {"kind", string, "kind of chart; default bar", kOptional, nullptr, kCharts},
    {"groupBy", string, "field of the entity or column of the query; each value is a bar or point",
     kRequired},
    {"bucket", string, "of a date: day, week or month per point", kOptional, nullptr, kBuckets},
    kMetric,
    kColumn,
    kFilter,
    kRange,
    kDateField};
constexpr Shape kChart{"chart", kChartKeys, kEntityOrQuery};

constexpr Key kMarkdownKeys[] = {{"text", string, "Markdown", kRequired}, kTo};
constexpr Shape kMarkdown{"markdown block", kMarkdownKeys};

constexpr Key kActionsKeys[] = {
    kTitle,
    kTo,
    {"entity", string, "entity of the row", kRequired},
    kId,
    {"transitions", strings, "transitions that get a button; default all"},
    {"delete", flag, "whether a button deletes the row"},
    kThen};
constexpr Shape kActionsBlock{"actions block", kActionsKeys};

constexpr Key kPayKeys[] = {
    kTitle,
    kTo,
    kId,
    {"methods", strings, "ways to pay; default all of payments", kOptional, nullptr, kPayMethods},
    kThen};
constexpr Shape kPay{"pay block", kPayKeys};

constexpr Key kAuthBlockKeys[] = {kTitle,
                                  kTo,
                                  {"methods", strings, "ways to sign in; default all of auth"},
                                  {"signup", flag, "whether people may create an account here"},
                                  kThen};
constexpr Shape kAuthBlock{"auth block", kAuthBlockKeys};

constexpr Key kUploadKeys[] = {
    kTitle,
    kTo,
    {"entity", string, "entity of the row that gets the file", kRequired},
    {"field", string, "file field of the entity", kRequired},
    kId};
constexpr Shape kUpload{"upload block", kUploadKeys};

constexpr Key kSearchKeys[] = {
    kTitle,
    kTo,
    {"entities", strings, "entities to search; each needs \"search\"", kRequired},
    {"limit", count, "rows per entity, 1 to 25; default 5"},
    {"placeholder", string, "placeholder of the input field"}};
constexpr Shape kSearch{"search block", kSearchKeys};

constexpr Key kChatKeys[] = {kTitle,
                             kTo,
                             {"greeting", string, "first message of the assistant"},
                             {"placeholder", string, "placeholder of the input field"}};
constexpr Shape kChat{"chat block", kChatKeys};

constexpr Key kComponentBlockKeys[] = {
    kTo,
    {"name", string, "name of the component", kRequired},
    {"props", any_map, "props of the component; {user.id} and {route.id} are placeholders"}};
constexpr Shape kComponentBlock{"component block", kComponentBlockKeys};

constexpr Key kBlockKeys[] = {
    {"list", object, "rows as a list", kOptional, &kList},
    {"table", object, "rows as a table", kOptional, &kTable},
    {"grid", object, "rows as cards with a picture", kOptional, &kGrid},
    {"board", object, "rows as cards, with a column for each value", kOptional, &kBoard},
    {"detail", object, "one row", kOptional, &kDetail},
    {"form", object, "form that creates or updates a row", kOptional, &kForm},
    {"metric", object, "one number", kOptional, &kMetricBlock},
    {"chart", object, "chart of numbers", kOptional, &kChart},
    {"markdown", object, "text", kOptional, &kMarkdown},
    {"actions", object, "buttons for a row", kOptional, &kActionsBlock},
    {"pay", object, "payment of an order", kOptional, &kPay},
    {"auth", object, "sign-in and sign-up", kOptional, &kAuthBlock},
    {"upload", object, "upload of a file into a field of a row", kOptional, &kUpload},
    {"search", object, "full-text search", kOptional, &kSearch},
    {"chat", object, "chat with the assistant", kOptional, &kChat},
    {"component", object, "component of \"components\"", kOptional, &kComponentBlock},
};
constexpr std::string_view kBlockNames[] = {
    "list",     "table",   "grid", "board", "detail", "form",   "metric", "chart",
    "markdown", "actions", "pay",  "auth",  "upload", "search", "chat",   "component"};

}  // namespace

constinit const Shape kBlock{"block", kBlockKeys, kBlockNames};

}  // namespace svc::contract
