#include "plan/table/constraints.hpp"

#include "plan/names.hpp"
#include "plan/types.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::FieldType;

class Collector {
  public:
    explicit Collector(const Entity& entity) : entity_(entity) {}

    // `definition` is what stands after the constraint's name.
    void add(const std::string& name, const std::string& field, const std::string& definition,
             const std::string& reason, const std::string& path) {
        PlannedConstraint constraint;
        constraint.object.name = name;
        constraint.object.sql = "alter table " + table(entity_.name) + " add constraint " +
                                ident(name) + " " + definition;
        constraint.object.path = path;
        constraint.served = {name, field, reason};
        out_.push_back(std::move(constraint));
    }
    void check(const Field& field, const std::string& kind, const std::string& condition,
               const std::string& reason) {
        add(entity_.name + "_" + field.name + "_" + kind, field.name, "check (" + condition + ")",
            reason + ".", field.path);
        out_.back().condition = condition;
    }
    // Sets the probe of the last added constraint.
    void probe(std::string sql) { out_.back().object.probe = std::move(sql); }
    std::vector<PlannedConstraint> take() { return std::move(out_); }

  private:
    const Entity& entity_;
    std::vector<PlannedConstraint> out_;
};

std::string bound(const Field& field, const std::string& value) {
    return is_numeric(field.type) ? value
                                  : literal(value) + "::" + std::string(type_names(field.type).sql);
}

void range_checks(const Field& field, Collector& out) {
    const std::string column = ident(field.name);
    if (field.min) {
        out.check(field, "min", column + " >= " + bound(field, *field.min),
                  "must be at least " + *field.min);
    }
    if (field.max) {
        out.check(field, "max", column + " <= " + bound(field, *field.max),
                  "must be at most " + *field.max);
    }
    if (field.scale) {
        const std::string digits = std::to_string(*field.scale);
        out.check(field, "scale", "scale(trim_scale(" + column + ")) <= " + digits,
                  "may have " + digits + " digits after the point");
    }
}

void text_checks(const Field& field, Collector& out) {
    const std::string column = ident(field.name);
    if (field.min_length) {
        const std::string count = std::to_string(*field.min_length);
        out.check(field, "short", "char_length(" + column + ") >= " + count,
                  "must have at least " + count + " characters");
    }
    if (field.max_length) {
        const std::string count = std::to_string(*field.max_length);
        out.check(field, "long", "char_length(" + column + ") <= " + count,
                  "may have at most " + count + " characters");
    }
    if (field.pattern) {
        out.check(field, "pattern", column + " ~ " + literal(*field.pattern),
                  "does not match the pattern " + *field.pattern);
        out.probe("select '' ~ " + literal(*field.pattern));
    }
    if (const auto format = format_pattern(field.type); !format.empty()) {
        static const char* const kArticles[] = {"an e-mail address", "a web address",
                                                "a phone number", "a slug (a-z, 0-9, -)"};
        const auto which = field.type == FieldType::email   ? 0
                           : field.type == FieldType::url   ? 1
                           : field.type == FieldType::phone ? 2
                                                            : 3;
        out.check(field, "format", column + " ~ " + literal(format),
                  std::string("is not ") + kArticles[which]);
    }
}

void value_check(const Field& field, Collector& out) {
    if (field.values.empty()) return;
    std::string values;
    std::string words;
    for (const std::string& value : field.values) {
        values += (values.empty() ? "" : ", ") + literal(value);
        words += (words.empty() ? "" : ", ") + value;
    }
    out.check(field, "values", ident(field.name) + " in (" + values + ")",
              "must be one of " + words);
}

void unique_constraints(const Entity& entity, Collector& out) {
    for (const Field& field : entity.fields) {
        if (!field.unique) continue;
        out.add(entity.name + "_" + field.name + "_key", field.name,
                "unique (" + ident(field.name) + ")", "", field.path);
    }
    for (std::size_t i = 0; i < entity.unique.size(); ++i) {
        std::string name = entity.name;
        std::string columns;
        std::string words;
        for (const std::string& column : entity.unique[i]) {
            name += "_" + column;
            columns += (columns.empty() ? "" : ", ") + ident(column);
            const bool last = &column == &entity.unique[i].back();
            words += (words.empty() ? "" : last ? " and " : ", ") + column;
        }
        const bool one = entity.unique[i].size() == 1;
        out.add(name + "_key", one ? words : "", "unique (" + columns + ")",
                one ? "" : "Another row already has the same " + words + ".",
                entity.path + "/unique/" + std::to_string(i));
    }
}

const char* on_delete(model::OnDelete action) {
    switch (action) {
        case model::OnDelete::restrict:
            return "";
        case model::OnDelete::cascade:
            return " on delete cascade";
        case model::OnDelete::null:
            return " on delete set null";
    }
    return "";
}

void foreign_key(const std::string& entity, const std::string& column, const std::string& target,
                 const std::string& action, const std::string& path, Collector& out) {
    out.add(entity + "_" + column + "_fkey", column,
            "foreign key (" + ident(column) + ") references " + target + action, "", path);
}

void foreign_keys(const model::Model& model, const Entity& entity, Collector& out) {
    const std::string account = "svc.account (id)";
    if (entity.owner.user) {
        foreign_key(entity.name, "user_id", account, " on delete set null", entity.path, out);
    }
    for (const Field& field : entity.fields) {
        if (field.type == FieldType::user) {
            foreign_key(entity.name, field.name, account, " on delete set null", field.path, out);
        } else if (field.type == FieldType::ref) {
            foreign_key(entity.name, field.name,
                        table(model.entities[field.ref_entity].name) + " (id)",
                        on_delete(field.on_delete), field.path, out);
        }
    }
}

}  // namespace

std::vector<PlannedConstraint> plan_constraints(const model::Model& model, const Entity& entity) {
    Collector out(entity);
    for (const Field& field : entity.fields) {
        range_checks(field, out);
        text_checks(field, out);
        value_check(field, out);
    }
    unique_constraints(entity, out);
    foreign_keys(model, entity, out);
    return out.take();
}

}  // namespace svc::plan
