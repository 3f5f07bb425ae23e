// The blocks of a page: an object with one key that names the block, and its settings.
#include "contract/key_shapes.hpp"

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
    {"dir", string, "asc or desc; asc", kOptional, kRuns, nullptr, kDirections},
};
constexpr Shape kSort{"sort", kSortKeys};

constexpr Key kClauseKeys[] = {
    {"field", string, "field that is compared", kRequired},
    {"op", string, "how; eq", kOptional, kRuns, nullptr, kOperators},
    {"value", any, "with what; \"{user.id}\" and \"{route.id}\" are the caller and the page"},
};
constexpr Shape kClause{"filter clause", kClauseKeys};

// Keys that several blocks have.
constexpr Key kTitle{"title", string, "heading above it"};
constexpr Key kTo{"to", string_or_strings, "principals that see it; all who may open the page"};
constexpr Key kSource{"entity", string, "entity whose rows it shows"};
constexpr Key kQuerySource{"query", string, "named query whose rows it shows"};
constexpr Key kParams{"params", any_map, "of a query: values of its parameters"};
constexpr Key kFields{"fields", strings,
                      "fields in their order, of a query its columns; all that may be read"};
constexpr Key kSorted{"sort", object, "order of the rows", kOptional, kRuns, &kSort};
constexpr Key kFilter{"filter",  objects, "rows that it shows: all clauses hold",
                      kOptional, kRuns,   &kClause};
constexpr Key kLimit{"limit", count, "rows of a page, 1 to 500; 50"};
constexpr Key kLink{"link", template_, "page that a row opens: /orders/{id}"};
constexpr Key kEmpty{"empty", string, "what stands there when there are no rows"};
constexpr Key kId{"id", template_, "id of the row; {route.id}"};
constexpr Key kThen{"then", template_, "page that opens afterwards: /orders/{id}"};
constexpr Key kMetric{"metric", string,  "what is computed; count", kOptional, kRuns,
                      nullptr,  kMetrics};
constexpr Key kColumn{"column", string, "field that is computed over, of a query its column"};
constexpr Key kRange{"range", string, "time that counts; all", kOptional, kRuns, nullptr, kRanges};
constexpr Key kDateField{"dateField", string, "date that range looks at; created_at"};

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
                             {"image", string, "file or url field that is the picture of a row"},
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
    {"by", string, "enum or lifecycle field whose values are the columns; a lifecycle's own"},
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
    {"entity", string, "entity of which it makes a row, or changes one", kRequired},
    {"id", template_, "id of the row that it changes; none: it makes one"},
    {"fields", strings, "fields that are asked for; all that may be written"},
    {"set", any_map, "fields that it fills in by itself: {\"order_id\": \"{route.id}\"}"},
    {"submit", string, "text of its button"},
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
    {"compare", flag, "with range: does the period before stand beside it"}};
constexpr Shape kMetricBlock{"metric", kMetricKeys, kEntityOrQuery};

constexpr Key kChartKeys[] = {
    kTitle,
    kTo,
    kSource,
    kQuerySource,
    kParams,
    {"kind", string, "its form; bar", kOptional, kRuns, nullptr, kCharts},
    {"groupBy", string, "field of which each value is a bar or point, of a query its column",
     kRequired},
    {"bucket", string, "of a date: the days, weeks or months that are one point", kOptional, kRuns,
     nullptr, kBuckets},
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
    {"transitions", strings, "moves of its lifecycle that have a button; all"},
    {"delete", flag, "is there a button that deletes the row"},
    kThen};
constexpr Shape kActionsBlock{"actions block", kActionsKeys};

constexpr Key kPayKeys[] = {kTitle,
                            kTo,
                            kId,
                            {"methods", strings, "ways to pay here; all of payments", kOptional,
                             kRuns, nullptr, kPayMethods},
                            kThen};
constexpr Shape kPay{"pay block", kPayKeys};

constexpr Key kAuthBlockKeys[] = {kTitle,
                                  kTo,
                                  {"methods", strings, "ways to sign in here; all of auth"},
                                  {"signup", flag, "may people make an account here"},
                                  kThen};
constexpr Shape kAuthBlock{"auth block", kAuthBlockKeys};

constexpr Key kUploadKeys[] = {
    kTitle,
    kTo,
    {"entity", string, "entity of the row that gets the file", kRequired},
    {"field", string, "its file field", kRequired},
    kId};
constexpr Shape kUpload{"upload block", kUploadKeys};

constexpr Key kSearchKeys[] = {
    kTitle,
    kTo,
    {"entities", strings, "entities that are searched; each has search", kRequired},
    {"limit", count, "rows of each, 1 to 25; 5"},
    {"placeholder", string, "what stands in the empty field"}};
constexpr Shape kSearch{"search block", kSearchKeys};

constexpr Key kChatKeys[] = {kTitle,
                             kTo,
                             {"greeting", string, "what the assistant says first"},
                             {"placeholder", string, "what stands in the empty field"}};
constexpr Shape kChat{"chat block", kChatKeys};

constexpr Key kComponentBlockKeys[] = {
    kTo,
    {"name", string, "name of the component", kRequired},
    {"props", any_map, "its props; \"{user.id}\" and \"{route.id}\" are the caller and the page"}};
constexpr Shape kComponentBlock{"component block", kComponentBlockKeys};

constexpr Key kBlockKeys[] = {
    {"list", object, "rows below each other", kOptional, kRuns, &kList},
    {"table", object, "rows with their fields in columns", kOptional, kRuns, &kTable},
    {"grid", object, "rows as cards with a picture", kOptional, kRuns, &kGrid},
    {"board", object, "rows as cards, a column for each value", kOptional, kRuns, &kBoard},
    {"detail", object, "one row", kOptional, kRuns, &kDetail},
    {"form", object, "makes or changes a row", kOptional, kRuns, &kForm},
    {"metric", object, "one number", kOptional, kRuns, &kMetricBlock},
    {"chart", object, "numbers drawn", kOptional, kRuns, &kChart},
    {"markdown", object, "text", kOptional, kRuns, &kMarkdown},
    {"actions", object, "buttons for a row", kOptional, kRuns, &kActionsBlock},
    {"pay", object, "pays for an order", kOptional, kRuns, &kPay},
    {"auth", object, "signs in and up", kOptional, kRuns, &kAuthBlock},
    {"upload", object, "puts a file into a row", kOptional, kRuns, &kUpload},
    {"search", object, "finds rows by words", kOptional, kRuns, &kSearch},
    {"chat", object, "talks with the assistant", kOptional, kRuns, &kChat},
    {"component", object, "a component of the contract", kOptional, kRuns, &kComponentBlock},
};
constexpr std::string_view kBlockNames[] = {
    "list",     "table",   "grid", "board", "detail", "form",   "metric", "chart",
    "markdown", "actions", "pay",  "auth",  "upload", "search", "chat",   "component"};

}  // namespace

constinit const Shape kBlock{"block", kBlockKeys, kBlockNames};

}  // namespace svc::contract
