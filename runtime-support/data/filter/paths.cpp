#include "data/filter/paths.hpp"

#include <algorithm>

namespace svc::data::filter {

namespace {

constexpr std::size_t kMostHops = 3;
constexpr std::size_t kOwn = static_cast<std::size_t>(-1);  // no join: the list's own rows

// The aliases have a point, or are numbers, like no column or table.
std::string join_alias(std::size_t join) { return quoted_name(std::to_string(join + 1)); }

std::string join_alias(std::size_t join, unsigned column) {
    return quoted_name(std::to_string(join + 1) + '.' + std::to_string(column));
}

unsigned index_of(const Entity& entity, const Column* column) {
    return static_cast<unsigned>(column - entity.columns.data());
}

}  // namespace

// A caller without a grant for the rows reads none of their columns.
const Column* Joins::readable(const Entity& entity, std::string_view name) const {
    if (!entity.access.reads(principals_)) return nullptr;
    return readable_column(entity, visible_columns(entity, principals_).columns, name);
}

Result<Named> Joins::find(std::string_view path) {
    const Entity* entity = &entity_;
    std::size_t join = kOwn;
    std::string_view rest = path;
    for (std::size_t hops = 0;; ++hops) {
        const auto point = rest.find('.');
        if (point == std::string_view::npos) break;
        if (hops == kMostHops) {
            return bad_params("A path may lead over at most 3 refs, but " + std::string(path) +
                              " has more.");
        }
        const auto next = follow(*entity, join, rest.substr(0, point), path);
        if (!next) return next.error();
        join = *next;
        entity = joins_[join].target;
        rest.remove_prefix(point + 1);
    }
    const Column* column = readable(*entity, rest);
    if (column == nullptr) return unknown_column(entity_, path);
    if (join == kOwn)
        return Named{column, quoted_name(column->name), &ordering_of(entity_, *column)};
    return Named{column, exposed(join, index_of(*entity, column)), &ordering_of(*entity, *column),
                 false};
}

// The join of the row that the link `name` leads to from the rows of `join`.
Result<std::size_t> Joins::follow(const Entity& from, std::size_t join, std::string_view name,
                                  std::string_view path) {
    const Link* link = find_link(from, name);
    if (link == nullptr) return unknown_column(entity_, path);
    if (link->kind == Link::many) {
        return bad_params(std::string(name) + " leads to many rows of " +
                          std::string(link->target->name) +
                          ". A path may only follow refs to one row.");
    }
    const Column& ref = from.columns[link->column];
    if (readable(from, ref.name) == nullptr) return unknown_column(entity_, path);
    const std::string origin = join == kOwn ? std::string(kRows) + '.' + quoted_name(ref.name)
                                            : exposed(join, link->column);
    return joined(origin, *link->target);
}

std::size_t Joins::joined(const std::string& origin, const Entity& target) {
    const auto same = [&](const Join& each) { return each.origin == origin; };
    const auto known = std::ranges::find_if(joins_, same);
    if (known == joins_.end()) {
        joins_.push_back({origin, &target, {}});
        return joins_.size() - 1;
    }
    return static_cast<std::size_t>(known - joins_.begin());
}

std::string Joins::exposed(std::size_t join, unsigned column) {
    auto& columns = joins_[join].columns;
    if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    return join_alias(join) + '.' + join_alias(join, column);
}

std::string Joins::sql() const {
    std::string out;
    for (std::size_t i = 0; i < joins_.size(); ++i) {
        const Join& join = joins_[i];
        std::string columns;
        for (const unsigned column : join.columns) {
            columns += (columns.empty() ? "r." : ", r.") +
                       quoted_name(join.target->columns[column].name) + " as " +
                       join_alias(i, column);
        }
        out += "\nleft join lateral (select " + columns + " from public." +
               quoted_name(join.target->name) + " r where r.\"id\" = " + join.origin + ") " +
               join_alias(i) + " on true";
    }
    return out;
}

}  // namespace svc::data::filter
