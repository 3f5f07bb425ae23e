#include "data/filter/filter.hpp"

#include "data/filter/operators.hpp"

namespace svc::data::filter {

namespace {

using Kind = json::Value::Kind;
using Sql = Result<std::string>;

constexpr std::size_t kMaxClauses = 100;
constexpr unsigned kMaxNesting = 8;

// Turns a tree of clauses into SQL; counts them, so that a short text cannot become a long query.
class Translator {
  public:
    Translator(const FilterScope& scope, QueryText& query) : scope_(scope), query_(query) {}

    Sql all_of(const json::Value& list, std::string_view joined_by, unsigned depth) {
        if (!list.is(Kind::array))
            return bad_params("filter must be a clause {field, op, value} or a list of these.");
        std::string out;
        for (const json::Value& item : list.items) {
            auto one = clause(item, depth);
            if (!one) return one;
            if (!out.empty()) out += joined_by;
            out += '(' + *one + ')';
        }
        return out;
    }

    Sql column_clause(std::string_view field, std::string_view op, const json::Value* value) {
        if (++clauses_ > kMaxClauses) return bad_params("A filter may have at most 100 clauses.");
        const auto named = scope_.find(field);
        if (!named) return named.error();
        const auto known = operator_named(op);
        if (!known) return known.error();
        return clause_condition(
            {*named->column, *known, value, scope_.timezone, query_, named->sql, *named->ordering});
    }

    Sql clause(const json::Value& value, unsigned depth) {
        if (!value.is(Kind::object)) return bad_params("A clause must be {field, op, value}.");
        if (depth > kMaxNesting) return bad_params("A filter may be nested at most 8 levels deep.");
        if (value.members.size() == 1) {
            const auto& [name, inner] = value.members.front();
            if (name == "and" || name == "or") return group(name, inner, depth);
            if (name == "not") return negated(inner, depth);
        }
        return plain(value);
    }

  private:
    // An empty "and" holds for every row, an empty "or" for none.
    Sql group(std::string_view name, const json::Value& inner, unsigned depth) {
        const bool any = name == "or";
        auto out = all_of(inner, any ? " or " : " and ", depth + 1);
        if (out && out->empty()) return std::string(any ? "false" : "true");
        return out;
    }

    Sql negated(const json::Value& inner, unsigned depth) {
        auto out = clause(inner, depth + 1);
        if (!out) return out;
        return '(' + *out + ") is not true";
    }

    Sql plain(const json::Value& value) {
        for (const auto& [name, unused] : value.members) {
            if (name != "field" && name != "op" && name != "value") {
                return bad_params("A clause takes only field, op and value, not " + name + '.');
            }
        }
        const json::Value* field = value.find("field");
        const json::Value* op = value.find("op");
        if (field == nullptr || !field->is(Kind::string) || op == nullptr ||
            !op->is(Kind::string)) {
            return bad_params("A clause must be {field, op, value}.");
        }
        return column_clause(field->text, op->text, value.find("value"));
    }

    const FilterScope& scope_;
    QueryText& query_;
    std::size_t clauses_ = 0;
};

}  // namespace

Result<Named> FilterScope::find(std::string_view name) const {
    const bool path = name.find('.') != std::string_view::npos;
    if (path && joins != nullptr) return joins->find(name);
    const Column* column = readable_column(entity, visible, name);
    if (column == nullptr) {
        Error error = unknown_column(entity, name);
        if (path)
            error.message = "Name a field of " + std::string(entity.name) +
                            " itself here, not one of a row that it refers to.";
        return error;
    }
    return Named{column, quoted_name(column->name), &ordering_of(entity, *column)};
}

Sql where_condition(const FilterScope& scope, const json::Value& where, QueryText& query) {
    if (!where.is(Kind::object)) return bad_params("where must be an object: {\"column\": value}.");
    Translator translator(scope, query);
    std::string out;
    for (const auto& [name, value] : where.members) {
        auto one = translator.column_clause(name, "eq", &value);
        if (!one) return one;
        out += (out.empty() ? "" : " and ") + *one;
    }
    return out;
}

Sql filter_condition(const FilterScope& scope, const json::Value& filter, QueryText& query) {
    Translator translator(scope, query);
    return filter.is(Kind::object) ? translator.clause(filter, 0)
                                   : translator.all_of(filter, " and ", 0);
}

}  // namespace svc::data::filter
