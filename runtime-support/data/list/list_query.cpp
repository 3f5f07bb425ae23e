#include "data/list/list_query.hpp"

#include "data/filter/zone.hpp"
#include "data/list/keyset.hpp"
#include "data/query_params.hpp"
#include "http/exchange.hpp"

namespace svc::data::list {

namespace {

constexpr std::size_t kFewValues = 8;
constexpr std::uint64_t kDefaultLimit = 50, kMaxLimit = 500;
constexpr std::uint64_t kMaxOffset = 1'000'000'000'000;
constexpr std::uint64_t kLargeOffset = 1'000;  // rows that are read to be skipped

using Failed = std::optional<Error>;

void also(std::string& conditions, const std::string& condition) {
    conditions += (conditions.empty() ? "\nwhere " : " and ") + condition;
}

// True for a list by created_at that has an index.
bool by_newest(const Entity& entity, const Order& order) {
    const auto is = [&](std::size_t at, std::string_view name) {
        return order[at].own && order[at].column->name == name;
    };
    return entity.newest_first && order.size() == 2 && is(0, "created_at") && is(1, "id") &&
           order[0].descending == order[1].descending;
}

// Reads the parameters one after the other; what they say comes together in `list`.
class ListReader {
  public:
    ListReader(const filter::FilterScope& scope, std::string_view query, const Cursors& cursors)
        : scope_(scope), query_(query), cursors_(cursors) {}

    Result<ListQuery> read() {
        const auto limit = whole_param(query_, "limit", {kDefaultLimit, 1, kMaxLimit});
        if (!limit) return limit.error();
        list_.limit = *limit;
        for (auto step : {&ListReader::conditions, &ListReader::order, &ListReader::count,
                          &ListReader::position}) {
            if (Failed failed = (this->*step)()) return std::move(*failed);
        }
        finish();
        return std::move(list_);
    }

  private:
    Failed conditions() {
        const auto conditions = condition_params(scope_, query_, list_.text);
        if (!conditions) return conditions.error();
        if (!conditions->empty()) also(conditions_, *conditions);
        return {};
    }

    Failed order() {
        const auto sort = json_param(query_, "sort");
        if (!sort) return sort.error();
        auto order = read_order(scope_, sort->has_value() ? &**sort : nullptr);
        if (!order) return order.error();
        list_.order = std::move(*order);
        for (const SortKey& key : list_.order) keep(key);
        return {};
    }

    void keep(const SortKey& key) {
        if (key.own) {
            list_.kept.columns.add(index_of(key));
        } else {
            ++list_.kept.extra;
        }
    }

    unsigned index_of(const SortKey& key) const {
        return static_cast<unsigned>(key.column - scope_.entity.columns.data());
    }

    // Counts the rows of all pages, so it runs before the cursor narrows the conditions to one
    // page.
    Failed count() {
        const auto counting = asked_count(query_);
        if (!counting) return counting.error();
        list_.counting = *counting;
        if (*counting == CountMode::none) return {};
        const std::string table = listed_rows(scope_.entity);
        // No sample can be taken of external rows.
        const CountMode how = scope_.entity.external ? CountMode::exact : *counting;
        list_.count = count_text(how, table, scope_.joins->sql() + conditions_, list_.text);
        return {};
    }

    // Where the page begins.
    Failed position() {
        const http::QueryParam cursor = http::query_param(query_, "cursor");
        list_.by_cursor = cursor.found;
        if (!cursor.found) {
            const auto offset = whole_param(query_, "offset", {0, 0, kMaxOffset});
            if (!offset) return offset.error();
            offset_ = *offset;
            return {};
        }
        list_.identity = identity();
        if (cursor.value.empty()) return {};
        const auto position = cursors_.read(list_.identity, cursor.value);
        if (!position) return position.error();
        also(conditions_, rows_after(list_.order, *position, list_.text));
        return {};
    }

    std::string identity() const {
        std::string out(scope_.entity.name);
        for (const SortKey& key : list_.order) out += ' ' + std::to_string(int(key.column->type));
        out += '\n' + order_by(list_.order) + scope_.joins->sql() + conditions_;
        for (const std::string& value : list_.text.values) {
            out += '\n' + std::to_string(value.size()) + ':' + value;
        }
        return out;
    }

    void finish() {
        // A literal limit: with a parameter the planner counts on a tenth of the table, prefers to
        // plan each call anew, and that takes longer than the page.
        list_.text.sql = rows() + conditions_ + "\norder by " + order_by(list_.order) + "\nlimit " +
                         std::to_string(list_.limit + 1);
        list_.far = offset_ >= kLargeOffset;
        list_.by_newest = by_newest(scope_.entity, list_.order);
        list_.plain = (list_.order.size() == 1 || list_.by_newest) && scope_.joins->empty() &&
                      list_.text.searched == 0 && list_.text.values.size() <= kFewValues;
        if (offset_ > 0) {
            list_.text.sql += " offset " + list_.text.bind(std::to_string(offset_), Type::integer);
        }
    }

    // The entity's columns, and after them what else the order is by.
    std::string rows() const {
        std::string list(scope_.entity.list);
        if (scope_.joins->empty()) return list;
        std::string out = "select " + std::string(filter::kRows) + ".*";
        for (const SortKey& key : list_.order) {
            if (!key.own) out += ", " + key.sql;
        }
        return out + "\nfrom (" + list + ") " + std::string(filter::kRows) + scope_.joins->sql();
    }

    const filter::FilterScope& scope_;
    const std::string_view query_;
    const Cursors& cursors_;
    ListQuery list_;
    std::string conditions_;
    std::uint64_t offset_ = 0;
};

}  // namespace

Result<ListQuery> read_list_query(const Entity& entity, const ColumnSet& visible, const App& app,
                                  std::string_view query, const Cursors& cursors) {
    filter::Joins joins(entity, cursors.caller().principals);
    const auto zone = filter::asked_zone(query, app.timezone);
    if (!zone) return zone.error();
    const filter::FilterScope scope{entity, visible, *zone, &joins};
    return ListReader(scope, query, cursors).read();
}

}  // namespace svc::data::list
