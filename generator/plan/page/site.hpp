// The app's pages as they are served: those of the contract, or standard ones if it has none.
// The shapes are those of runtime-support/svc/page.hpp, with texts for names. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "plan/access/rights.hpp"
#include "plan/server.hpp"

namespace svc::plan {

using model::BlockKind;
using PartKind = model::PageTextPart::Kind;

struct SitePart {
    PartKind kind = PartKind::text;
    std::string of;
};
using SiteText = std::vector<SitePart>;

struct SiteValue {
    std::string json;
    SiteText text;
};
using SitePairs = std::vector<std::pair<std::string, SiteValue>>;

struct SiteField {
    std::string name;  // of the column
    std::string label;
    model::FieldType kind = model::FieldType::string;
    bool made = false, has_default = false;
    std::string fallback, min, max;
    std::vector<std::pair<std::string, std::string>> choices;
    std::string target;  // cpp_value
};

struct SiteTable {
    std::string entity;  // cpp_value
    std::string singular, plural, icon;
    std::vector<SiteField> fields;  // of ServedEntity::columns
    SiteText display;
    std::string list_route, row_route, new_route, edit_route;
    std::string rights;  // rights_sql()
    ParentRight created_under;
};

struct SiteFilter {
    std::string field;
    model::FilterOp op = model::FilterOp::eq;
    std::optional<SiteValue> value;
};

struct SiteBlock {
    BlockKind kind = BlockKind::markdown;
    std::string title;
    std::uint64_t to = kEveryone;
    std::string entity, query;  // cpp_value; name
    SitePairs params;
    std::vector<std::string> fields;
    std::string sort;
    bool descending = false;
    std::vector<SiteFilter> filter;
    std::uint32_t limit = 0;
    SiteText id, link, then;
    std::string empty, submit, html, placeholder, image, by;
    SitePairs set;
    std::optional<model::Metric> measure;  // metric and chart alone
    std::string column, date_field, group_by;
    std::optional<model::Range> range;  // none: all rows
    std::optional<model::Bucket> bucket;
    std::optional<model::ChartKind> chart_kind;
    bool compare = false;
    std::vector<std::string> transitions;
    bool remove = false, signup = false;
    std::vector<std::string> entities, methods;
    std::uint64_t settle = 0;  // pay: who may say that it was paid without a card
    std::string text;
    bool tools = false;
    std::string parent;
    std::string component;  // its name
    SitePairs props;
};

// What a page is for; all but `own` and `home` are about one entity.
enum class PageRole : std::uint8_t { own, home, rows, row, create, change };

struct SitePage {
    std::string route, title;
    std::uint64_t to = kEveryone;
    std::vector<SiteBlock> body;
    bool in_menu = false;
    std::string label, icon, about;
    PageRole role = PageRole::own;
};

struct SiteComponent {
    std::string name, source;
};

struct Site {
    std::string description, language, currency;
    unsigned digits = 2;
    std::string accent, radius;
    model::Font font = model::Font::system;
    std::vector<SiteTable> tables;
    std::vector<SitePage> pages;
    bool standard = false;
    std::vector<SiteComponent> components;  // all of the contract
    std::vector<std::string> shown;         // names of those that pages show, sorted
};

// `entities` are the model's, served, in its order.
Site plan_site(const model::Model& model, const std::vector<ServedEntity>& entities);

// Its parts.
struct SiteContext {
    const model::Model& model;
    const std::vector<ServedEntity>& entities;
    Site& out;
};
void plan_site_tables(SiteContext work);
void plan_own_pages(SiteContext work);
// A page with one parameter whose detail shows that row: links to the row lead there.
void note_row_page(SiteContext work, const model::Page& page);
// Gives a page of the contract at the address of a standard page the role of that page.
void note_roles(SiteContext work);
void plan_standard_pages(SiteContext work);
SiteText site_text(const model::PageText& text);
// The settings of a pay block. Its methods are those of the contract, unless it names some.
void plan_payment(const model::Model& model, SiteBlock& out);
// The address of an entity's standard list: /order; below it /new, /:id and /:id/edit.
std::string standard_route(const model::Entity& entity);

}  // namespace svc::plan

template <>
struct svc::base::Words<svc::plan::PageRole> {
    static constexpr std::array<std::string_view, 6> kAll = {"own", "home",   "rows",
                                                             "row", "create", "change"};
};
