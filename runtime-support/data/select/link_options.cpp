#include "data/select/link_options.hpp"

#include <algorithm>

#include "data/filter/zone.hpp"
#include "data/query_params.hpp"
#include "data/sort.hpp"
#include "json/formats.hpp"

namespace svc::data::select {
namespace {

using Kind = json::Value::Kind;
using Failed = std::optional<Error>;

constexpr std::size_t kShownPath = 48;

class LinkReader {
  public:
    LinkReader(const LinkScope& scope, QueryText& text) : scope_(scope), text_(text) {}

    Failed read(const json::Value& links, std::vector<Selected>& members) {
        if (!links.is(Kind::object))
            return bad_params("links must be an object: {\"lines\": {…}}.");
        for (const auto& [path, options] : links.members) {
            if (Failed failed = one(path, options, members)) return failed;
        }
        return {};
    }

  private:
    Failed one(std::string_view path, const json::Value& options, std::vector<Selected>& members) {
        unsigned depth = 0;
        Selected* selected = find(path, members, depth);
        const std::string shown(path.substr(0, kShownPath));
        if (selected == nullptr || selected->link == nullptr) {
            return bad_params("links has " + shown + ", but select does not.");
        }
        if (selected->link->kind != Link::many) {
            return bad_params("links takes only lists, but " + shown + " leads to one row.");
        }
        if (!options.is(Kind::object)) {
            return bad_params("links takes {where, filter, sort, limit} of " + shown + '.');
        }
        return complete(*selected, options, depth);
    }

    // Every name but the last is that of a link.
    static Selected* find(std::string_view path, std::vector<Selected>& members, unsigned& depth) {
        std::vector<Selected>* level = &members;
        while (true) {
            ++depth;
            const std::string_view name = path.substr(0, path.find('.'));
            const auto found = std::ranges::find(*level, name, &Selected::name);
            if (found == level->end()) return nullptr;
            if (name.size() == path.size()) return &*found;
            path.remove_prefix(name.size() + 1);
            level = &found->members;
        }
    }

    Failed complete(Selected& selected, const json::Value& options, unsigned depth) {
        const Visible visible = visible_columns(*selected.link->target, scope_.principals);
        const filter::FilterScope rows{*selected.link->target, visible.columns, scope_.timezone};
        for (const auto& [name, value] : options.members) {
            Failed failed;
            if (name == "where") {
                failed = condition(selected, filter::where_condition(rows, value, text_));
            } else if (name == "filter") {
                failed = condition(selected, filter::filter_condition(rows, value, text_));
            } else if (name == "sort") {
                failed = order(selected, rows, value, depth);
            } else if (name == "limit") {
                failed = limit(selected, value);
            } else {
                failed = bad_params("links takes where, filter, sort and limit, but not " +
                                    name.substr(0, kShownPath) + '.');
            }
            if (failed) return failed;
        }
        return {};
    }

    static Failed condition(Selected& selected, const Result<std::string>& sql) {
        if (!sql) return sql.error();
        if (!sql->empty()) selected.condition += " and (" + *sql + ')';
        return {};
    }

    // Sorts by the rows' own columns: selected values have the same names and may have other types.
    static Failed order(Selected& selected, const filter::FilterScope& rows,
                        const json::Value& sort, unsigned depth) {
        auto order = read_order(rows, &sort);
        if (!order) return order.error();
        for (SortKey& key : *order) key.sql = nested_column(depth, *key.column);
        selected.order = order_by(*order);
        return {};
    }

    static Failed limit(Selected& selected, const json::Value& value) {
        std::int64_t most = 0;
        if (!value.is(Kind::number) || json::whole_number(value.text, most) != json::Whole::ok ||
            most < 1) {
            return bad_params("The limit inside links must be a whole number, 1 or more.");
        }
        selected.most = std::min(selected.most, static_cast<std::size_t>(most));
        return {};
    }

    const LinkScope scope_;
    QueryText& text_;
};

}  // namespace

std::optional<Error> read_link_options(const LinkScope& scope, std::string_view query,
                                       std::vector<Selected>& members, QueryText& text) {
    const auto links = json_param(query, "links");
    if (!links) return links.error();
    if (!links->has_value()) return {};
    const auto zone = filter::asked_zone(query, scope.timezone);
    if (!zone) return zone.error();
    return LinkReader({scope.principals, *zone}, text).read(**links, members);
}

}  // namespace svc::data::select
