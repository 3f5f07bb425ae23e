#include "operate/row/row_words.hpp"

#include <utility>
#include <vector>

#include "base/sql_state.hpp"
#include "data/db_error.hpp"
#include "json/mistyped.hpp"
#include "operate/row/row_failure.hpp"
#include "pipeline.hpp"
#include "plan/server.hpp"
#include "svc/entity.hpp"

namespace svc::devapi {
namespace {

using plan::ColumnType;

Type type_of(ColumnType type) {
    switch (type) {
        case ColumnType::text:
            return Type::text;
        case ColumnType::integer:
            return Type::integer;
        case ColumnType::decimal:
            return Type::decimal;
        case ColumnType::floating:
            return Type::floating;
        case ColumnType::money:
            return Type::money;
        case ColumnType::boolean:
            return Type::boolean;
        case ColumnType::date:
            return Type::date;
        case ColumnType::time:
            return Type::time;
        case ColumnType::timestamp:
            return Type::timestamp;
        case ColumnType::enumeration:
            return Type::enumeration;
        case ColumnType::tags:
            return Type::tags;
        case ColumnType::json:
            return Type::json;
        case ColumnType::uuid:
            return Type::uuid;
        case ColumnType::key:
            return Type::key;
    }
    return Type::text;
}

// The data routes have messages for wrong values, violated constraints and refusals of the schema.
bool has_message(std::string_view state) {
    return data::code_of(state) || base::sqlstate::is_of_value(state);
}

}  // namespace

// The table as the runtime would know it; its texts live in the plan.
struct RowWords::Known {
    std::optional<plan::Plan> plan;
    std::vector<Column> columns;
    std::vector<Constraint> constraints;
    Entity entity{};

    void read(const std::string& table) {
        for (const plan::ServedEntity& served : plan->entities) {
            if (served.name != table) continue;
            columns.reserve(served.columns.size());
            constraints.reserve(served.constraints.size());
            for (const plan::ServedColumn& one : served.columns)
                columns.push_back(
                    {.name = one.name, .type = type_of(one.type), .max_length = one.max_length});
            for (const plan::ServedConstraint& one : served.constraints)
                constraints.push_back({one.name, one.field, one.reason});
        }
        entity.name = table;
        entity.columns = columns;
        entity.constraints = constraints;
    }
};

RowWords::RowWords(const AppDatabase& database, std::string table)
    : database_(database), table_(std::move(table)) {}

RowWords::~RowWords() = default;

const RowWords::Known& RowWords::known() {
    if (known_) return *known_;
    known_ = std::make_unique<Known>();
    known_->entity.name = table_;
    if (const auto record = read_record(database_))
        known_->plan = pipeline::check(record->contract).plan;
    if (known_->plan) known_->read(table_);
    return *known_;
}

std::string RowWords::message(SqlFailure& failure) {
    if (!has_message(failure.sqlstate)) return row_message(failure);
    db::Outcome outcome;
    outcome.make_error() = failure;
    const Error error = data::to_error(outcome, known().entity);
    if (failure.column.empty()) failure.column = error.field;
    return error.message;
}

std::string RowWords::mistyped(const std::string& column, const std::string& value) {
    for (const Column& one : known().columns)
        if (one.name == column) return svc::json::mistyped(one, value);
    return {};
}

}  // namespace svc::devapi
