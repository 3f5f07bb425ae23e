#include "plan/seed/seed_rules.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "plan/names.hpp"
#include "plan/sql/expr.hpp"
#include "plan/table/tables.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Expr;
using model::ExprKind;
using model::Field;
using model::Rule;

// The fields of the new row that a rule reads. None if it reads anything else.
class Reads {
  public:
    std::optional<std::set<std::string>> of(const Entity& entity, const Expr& expr) {
        walk(entity, expr);
        return all_its_own_ ? std::optional(names_) : std::nullopt;
    }

  private:
    void walk(const Entity& entity, const Expr& expr) {
        if (expr.kind == ExprKind::path) return path(entity, expr);
        using enum model::ExprFunction;
        constexpr model::ExprFunction kMore[] = {now, today, changed, member, can};
        const bool more = std::ranges::find(kMore, expr.function) != std::end(kMore);
        if (expr.kind == ExprKind::call && more) all_its_own_ = false;
        for (const auto& arg : expr.args) walk(entity, *arg);
    }

    void path(const Entity& entity, const Expr& expr) {
        const bool own = expr.root == model::Root::new_ && expr.steps.size() == 1 &&
                         expr.steps[0].kind != model::Step::Kind::many &&
                         expr.steps[0].builtin.empty();
        if (own) {
            names_.insert(entity.fields[expr.steps[0].field].name);
        } else {
            all_its_own_ = false;
        }
    }

    std::set<std::string> names_;
    bool all_its_own_ = true;
};

// A row of the seeds as a sub-select; computed fields are made of the others.
class RowText {
  public:
    RowText(const model::Model& model, const Entity& entity)
        : entity_(entity), table_(plan_table(model, entity)) {}

    // False for values that are known only when the row is stored: ids of other rows, sequences,
    // the time.
    bool is_known(const model::SeedRow& row, const std::string& name) const {
        const Field& field = *field_of(name);
        if (field.computed) return all_known(row, *field.computed);
        const model::SeedValue* given = find(row, name);
        if (given != nullptr) return given->null || (given->ref_key.empty() && !given->clock);
        return field.type != model::FieldType::sequence &&
               field.default_value.kind != model::Default::Kind::now &&
               field.default_value.kind != model::Default::Kind::today;
    }

    std::string sql(const model::SeedRow& row) const {
        std::string plain, made;
        for (const Column& column : table_.columns) {
            const std::string as = "::" + column.sql_type + " as " + ident(column.name);
            if (column.generated_sql.empty()) {
                plain += (plain.empty() ? "" : ", ") + value(row, column) + as;
            } else {
                made += ", (" + column.generated_sql + ")" + as;
            }
        }
        return "(select plain.*" + made + " from (select " + plain + ") plain)";
    }

  private:
    bool all_known(const model::SeedRow& row, const Expr& expr) const {
        if (expr.kind == ExprKind::path) {
            return expr.steps.size() == 1 && expr.steps[0].builtin.empty() &&
                   is_known(row, entity_.fields[expr.steps[0].field].name);
        }
        return std::ranges::all_of(expr.args,
                                   [&](const auto& arg) { return all_known(row, *arg); });
    }

    std::string value(const model::SeedRow& row, const Column& column) const {
        const model::SeedValue* given = find(row, column.name);
        const bool plain =
            given != nullptr && !given->null && !given->clock && given->ref_key.empty();
        if (plain) return literal(given->text);
        const Field* field = field_of(column.name);
        const bool usual = given == nullptr && field != nullptr &&
                           field->default_value.kind == model::Default::Kind::literal;
        return usual ? "(" + column.default_sql + ")" : "null";
    }

    const model::SeedValue* find(const model::SeedRow& row, const std::string& name) const {
        for (const model::SeedValue& value : row.values) {
            if (entity_.fields[value.field].name == name) return &value;
        }
        return nullptr;
    }

    // None of columns that the compiler makes.
    const Field* field_of(const std::string& name) const {
        const auto at = std::ranges::find(entity_.fields, name, &Field::name);
        return at == entity_.fields.end() ? nullptr : &*at;
    }

    const Entity& entity_;
    const Table table_;
};

std::string shown(const std::vector<model::MessagePart>& message) {
    std::string out;
    for (const model::MessagePart& part : message) out += part.expr ? "…" : part.text;
    return out;
}

// At the value that is at fault, where the row gives it.
std::string place(const Entity& entity, const Rule& rule, const model::SeedRow& row) {
    if (!rule.field) return row.path;
    const bool given = std::ranges::any_of(
        row.values, [&](const model::SeedValue& value) { return value.field == *rule.field; });
    return given ? row.path + "/" + entity.fields[*rule.field].name : row.path;
}

void add(const model::Model& model, std::size_t index, const std::vector<model::SeedRow>& rows,
         std::vector<SeedRule>& out) {
    const Entity& entity = model.entities[index];
    if (entity.external || rows.empty()) return;
    std::optional<RowText> text;
    for (const Rule& rule : entity.rules) {
        if (!rule.on_create || !rule.refuse) continue;
        const auto reads = Reads().of(entity, *rule.refuse);
        if (!reads) continue;
        if (!text) text.emplace(model, entity);
        SeedRule made{sql_true(*rule.refuse, {model, "new.", "new."}), shown(rule.message), {}};
        for (const model::SeedRow& row : rows) {
            const bool known = std::ranges::all_of(
                *reads, [&](const std::string& name) { return text->is_known(row, name); });
            if (known) made.rows.push_back({text->sql(row), place(entity, rule, row)});
        }
        out.push_back(std::move(made));
    }
}

}  // namespace

std::vector<SeedRule> plan_seed_rules(const model::Model& model) {
    std::vector<SeedRule> out;
    for (const auto& [entity, rows] : model.seeds.rows) add(model, entity, rows, out);
    return out;
}

}  // namespace svc::plan
