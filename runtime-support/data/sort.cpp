#include "data/sort.hpp"

#include <algorithm>

namespace svc::data {

namespace {

using Kind = json::Value::Kind;

constexpr std::size_t kMostKeys = 8;

// Columns that the compiler adds are never null, nor are columns that a create must send.
bool may_be_null(const Entity& entity, const Column& column) {
    const bool times = column.name == "created_at" || column.name == "updated_at";
    const bool made = column.name == "id" || (times && !entity.external) ||
                      (entity.lifecycle != nullptr && entity.lifecycle->field == column.name);
    return !made && (!column.required || entity.external);
}

// Texts are sorted by the collation of the database that sorts, and here two databases would sort.
std::optional<Error> refuse_mixed(const filter::FilterScope& scope, const filter::Named& named) {
    const Type type = named.column->type;
    if (!scope.entity.external || !named.own || (type != Type::tags && type != Type::json))
        return std::nullopt;
    const std::string name(named.column->name);
    return bad_params("Rows of another database cannot be sorted by " + name +
                          (type == Type::tags ? ", which is a list." : ", which is JSON."),
                      name);
}

Result<bool> descends(const json::Value& sort) {
    const json::Value* dir = sort.find("dir");
    if (dir == nullptr) return false;
    if (!dir->is(Kind::string) || (dir->text != "asc" && dir->text != "desc")) {
        return bad_params("dir in sort must be asc or desc.");
    }
    return dir->text == "desc";
}

Result<SortKey> read_key(const filter::FilterScope& scope, const json::Value& sort) {
    const json::Value* field = sort.find("field");
    if (!sort.is(Kind::object) || field == nullptr || !field->is(Kind::string)) {
        return bad_params("sort must be {field, dir} or a list of these.");
    }
    for (const auto& [name, unused] : sort.members) {
        if (name != "field" && name != "dir")
            return bad_params("sort takes only field and dir, not " + name + '.');
    }
    const auto named = scope.find(field->text);
    if (!named) return named.error();
    if (auto error = refuse_mixed(scope, *named)) return *error;
    const auto descending = descends(sort);
    if (!descending) return descending.error();
    const bool nullable = !named->own || may_be_null(scope.entity, *named->column);
    return SortKey{named->column, named->sql, named->ordering, *descending, named->own, nullable};
}

std::optional<Error> add_key(const filter::FilterScope& scope, const json::Value& sort,
                             Order& order) {
    auto key = read_key(scope, sort);
    if (!key) return key.error();
    const auto same = [&](const SortKey& other) { return other.sql == key->sql; };
    if (std::ranges::any_of(order, same)) {
        return bad_params("sort names " + sort.find("field")->text + " twice.");
    }
    order.push_back(std::move(*key));
    return std::nullopt;
}

// Rows that compare equal keep one order from page to page: the id decides.
void end_with_id(const Entity& entity, Order& order) {
    const Column* id = &entity.columns.front();
    const auto is_id = [id](const SortKey& key) { return key.own && key.column == id; };
    const auto found = std::ranges::find_if(order, is_id);
    if (found != order.end()) {
        order.erase(found + 1, order.end());
        return;
    }
    const bool descending = !order.empty() && order.back().descending;
    order.push_back(
        {id, quoted_name(id->name), &ordering_of(entity, *id), descending, true, false});
}

}  // namespace

Result<Order> read_order(const filter::FilterScope& scope, const json::Value* sort) {
    Order order;
    const bool several = sort != nullptr && sort->is(Kind::array);
    if (several && sort->items.size() > kMostKeys) {
        return bad_params("sort may have at most 8 fields.");
    }
    if (several) {
        for (const json::Value& item : sort->items) {
            if (auto error = add_key(scope, item, order)) return *error;
        }
    } else if (sort != nullptr) {
        if (auto error = add_key(scope, *sort, order)) return *error;
    }
    end_with_id(scope.entity, order);
    return order;
}

std::string order_by(const Order& order) {
    std::string out;
    for (const SortKey& key : order) {
        out += (out.empty() ? "" : ", ") + key.sql;
        out += key.descending ? key.ordering->descending : key.ordering->ascending;
    }
    return out;
}

}  // namespace svc::data
