// Entities as pages show them, and what pages have in common.
#include "plan/page/site.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/currency.hpp"
#include "model/names.hpp"
#include "model/values.hpp"
#include "plan/principals.hpp"

namespace svc::plan {
namespace {

using model::Entity;
using model::Field;
using model::FieldType;

std::string upper(std::string text) {
    for (char& c : text) c = base::upper(c);
    return text;
}

SiteField own_field(const SiteContext& work, const Field& field) {
    SiteField out;
    out.name = field.name;
    out.label = field.label;
    out.kind = field.type;
    out.has_default = field.default_value.kind != model::Default::Kind::none;
    if (field.default_value.kind == model::Default::Kind::literal)
        out.fallback = field.default_value.text;
    out.min = field.min.value_or("");
    out.max = field.max.value_or("");
    for (std::size_t i = 0; i < field.values.size(); ++i)
        out.choices.emplace_back(field.values[i], i < field.labels.size()
                                                      ? field.labels[i]
                                                      : model::words(field.values[i]));
    if (field.type == FieldType::ref) out.target = work.entities[field.ref_entity].cpp_value;
    return out;
}

SiteField made_field(const std::string& name) {
    SiteField out;
    out.name = name;
    out.made = true;
    out.label = name == "created_at"   ? "Created"
                : name == "updated_at" ? "Changed"
                : name == "user_id"    ? "Owner"
                : name == "org_id"     ? "Organisation"
                                       : "Id";
    out.kind = name.ends_with("_at") ? FieldType::datetime
               : name == "user_id"   ? FieldType::user
                                     : FieldType::uuid;
    return out;
}

SitePart row_part(const std::string& name) { return {PartKind::row, name}; }

// The heaviest search field, else the first required text, else the sequence, else any text.
SiteText found_display(const Entity& entity) {
    const model::SearchField* heaviest = nullptr;
    for (const model::SearchField& field : entity.search)
        if (!heaviest || std::stod(field.weight) > std::stod(heaviest->weight)) heaviest = &field;
    if (heaviest) return {row_part(entity.fields[heaviest->field].name)};
    const auto find = [&](const auto& test) -> const Field* {
        const auto at = std::find_if(entity.fields.begin(), entity.fields.end(), test);
        return at == entity.fields.end() ? nullptr : &*at;
    };
    const auto is_line = [](const Field& field) {
        return field.type == FieldType::string || field.type == FieldType::email ||
               field.type == FieldType::slug;
    };
    const Field* found =
        find([](const Field& f) { return f.required && f.type == FieldType::string; });
    if (!found) found = find([&](const Field& f) { return f.required && is_line(f); });
    if (!found) found = find([](const Field& f) { return f.type == FieldType::sequence; });
    if (!found) found = find(is_line);
    if (!found) return {};
    return {row_part(found->name)};
}

// In English; other languages keep the label as it is.
std::string plural_of(const std::string& word, const std::string& locale) {
    if (word.empty() || !locale.starts_with("en")) return word;
    const auto ends = [&](std::string_view end) { return word.ends_with(end); };
    // "Note of a visit" is not made plural at its end.
    if (word.find(" of ") != std::string::npos) {
        const std::size_t at = word.find(" of ");
        return plural_of(word.substr(0, at), locale) + word.substr(at);
    }
    const char before = word.size() > 1 ? word[word.size() - 2] : 'x';
    const bool vowel = std::string_view("aeiou").find(before) != std::string_view::npos;
    if (ends("y") && !vowel) return word.substr(0, word.size() - 1) + "ies";
    if (ends("s") || ends("x") || ends("ch") || ends("sh")) return word + "es";
    return word + "s";
}

// A name that says what an entity is about often enough; a plain one else.
std::string icon_of(const std::string& name) {
    static const std::pair<const char*, const char*> kIcons[] = {{"product", "package"},
                                                                 {"order_line", "list"},
                                                                 {"order", "shopping-cart"},
                                                                 {"customer", "users"},
                                                                 {"patient", "heart-pulse"},
                                                                 {"doctor", "stethoscope"},
                                                                 {"appointment", "calendar"},
                                                                 {"invoice", "receipt"},
                                                                 {"payment", "credit-card"},
                                                                 {"room", "house"},
                                                                 {"treatment", "syringe"},
                                                                 {"prescription", "pill"},
                                                                 {"note", "notebook"},
                                                                 {"task", "list-checks"},
                                                                 {"project", "folder"},
                                                                 {"message", "message-square"},
                                                                 {"document", "file-text"},
                                                                 {"event", "calendar-days"},
                                                                 {"company", "building-2"},
                                                                 {"person", "user"},
                                                                 {"user", "user"},
                                                                 {"member", "users"},
                                                                 {"insurer", "shield"},
                                                                 {"reading", "activity"},
                                                                 {"ticket", "ticket"},
                                                                 {"category", "tag"},
                                                                 {"tag", "tag"},
                                                                 {"article", "newspaper"},
                                                                 {"post", "newspaper"},
                                                                 {"comment", "message-circle"},
                                                                 {"vehicle", "car"},
                                                                 {"car", "car"},
                                                                 {"location", "map-pin"},
                                                                 {"address", "map-pin"},
                                                                 {"book", "book"},
                                                                 {"course", "graduation-cap"},
                                                                 {"contact", "contact"},
                                                                 {"lead", "target"},
                                                                 {"deal", "dollar-sign"},
                                                                 {"stock", "boxes"},
                                                                 {"item", "box"},
                                                                 {"letter", "mail"}};
    for (const auto& [word, icon] : kIcons)
        if (name.find(word) != std::string::npos) return icon;
    return "layers";
}

}  // namespace

SiteText site_text(const model::PageText& text) {
    SiteText out;
    for (const model::PageTextPart& part : text) out.push_back({part.kind, part.text});
    return out;
}

void plan_payment(const model::Model& model, SiteBlock& out) {
    const model::Payments& payments = *model.payments;
    out.text = payments.instructions;
    out.settle = bits(model, payments.settle);
    if (!out.methods.empty()) return;
    if (payments.card) out.methods.emplace_back("card");
    if (payments.offline) out.methods.emplace_back("offline");
}

void plan_site_tables(SiteContext work) {
    for (std::size_t i = 0; i < work.entities.size(); ++i) {
        const Entity& entity = work.model.entities[i];
        const ServedEntity& served = work.entities[i];
        SiteTable out;
        out.entity = served.cpp_value;
        out.singular = served.title;
        out.plural = plural_of(served.title, work.model.app.locale);
        out.icon = icon_of(entity.name);
        out.display = entity.display.empty() ? found_display(entity) : site_text(entity.display);
        out.rights = rights_sql(work.model, entity);
        out.created_under = parent_right(work.model, entity);
        for (const ServedColumn& column : served.columns) {
            const auto field = model::find_field(entity, column.name);
            out.fields.push_back(field ? own_field(work, entity.fields[*field])
                                       : made_field(column.name));
        }
        work.out.tables.push_back(std::move(out));
    }
}

Site plan_site(const model::Model& model, const std::vector<ServedEntity>& entities) {
    Site out;
    out.description = model.app.description;
    out.language = model.app.locale;
    out.currency = upper(model.app.currency);
    out.digits = base::currency(model.app.currency).exponent;
    out.accent = model.app.accent;
    if (model.app.radius) out.radius = std::to_string(*model.app.radius) + "px";
    out.font = model.app.font;
    const SiteContext work{model, entities, out};
    plan_site_tables(work);
    out.standard = model.pages.empty();
    if (out.standard)
        plan_standard_pages(work);
    else
        plan_own_pages(work);
    return out;
}

}  // namespace svc::plan
