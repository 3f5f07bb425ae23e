// An app's pages as the runtime sees them: constant tables that the generator prints, and no code.
// Columns are names, entities are pointers; policies decide which rows a caller sees.
#pragma once

#include <cstdint>
#include <string_view>

#include "svc/entity.hpp"
#include "svc/list.hpp"
#include "svc/sets.hpp"

namespace svc::page {

// The type of a field in the contract. It decides how a value is shown and which input a form has.
enum class FieldKind : std::uint8_t {
    string,
    text,
    email,
    url,
    phone,
    slug,
    integer,
    number,
    decimal,
    floating,
    money,
    boolean,
    date,
    time,
    datetime,
    enumeration,
    tags,
    json,
    uuid,
    ref,
    user,
    file,
    sequence
};

// A value of an enum, and the word that people see for it.
struct Choice {
    std::string_view value, label;
};

// Has the index of the entity's column.
struct Field {
    std::string_view label;
    FieldKind kind = FieldKind::string;
    bool made = false;               // by the compiler: id, created_at, …
    bool has_default = false;        // a create may leave it out
    std::string_view fallback{};     // what it is then, PostgreSQL's input text; empty: unknown
    std::string_view min{}, max{};   // as the contract writes them
    List<Choice> choices{};          // enum
    const Entity* target = nullptr;  // ref
};

// A piece of a text with {placeholders}.
struct Part {
    enum Kind : std::uint8_t { text, row, user, route } kind = text;
    std::string_view of;  // the text; a column; an attribute of the caller; a parameter
};
using Text = List<Part>;

// The value of a name: JSON, or a text with placeholders.
struct Value {
    std::string_view json{};
    Text text{};
};
struct Pair {
    std::string_view name;
    Value value;
};

// An entity as pages show it.
struct Table {
    const Entity* entity;
    std::string_view singular{}, plural{}, icon{};
    List<Field> fields;
    Text display{};  // what a row is called
    // Pages of a list, a row, a new row and a change; empty: none. `<id>` stands for the row's id.
    std::string_view list_route{}, row_route{}, new_route{}, edit_route{};
    // $1 id; gives (may they update the row, may they delete it) as the policies have it, of a row
    // that they read. Empty: no row makes a difference, so that Access says it.
    std::string_view rights{};
    // The only ref that decides who may create a row: $1 id of the row that the ref points to;
    // gives (may they make one). Empty: other values decide too, or none.
    std::string_view created_under{}, create_right{};
};

enum class Chart : std::uint8_t { bar, line, area, pie };

struct Filter {
    std::string_view field, op;
    bool has_value = false;
    Value value{};
};

struct Block {
    enum Kind : std::uint8_t {
        list,
        table,
        grid,
        board,
        detail,
        form,
        metric,
        chart,
        markdown,
        actions,
        pay,
        auth,
        upload,
        search,
        chat,
        component
    };
    Kind kind = markdown;
    std::string_view title{};
    PrincipalSet to = kEveryone;

    const Entity* entity = nullptr;
    std::string_view query{};
    List<Pair> params{};  // of the query
    List<std::string_view> fields{};
    std::string_view sort{};
    bool descending = false;
    List<Filter> filter{};
    std::uint32_t limit = 0;  // 0: 50
    Text id{}, link{}, then{};
    std::string_view empty{}, submit{}, html{}, placeholder{};
    std::string_view image{}, by{};  // grid; board
    List<Pair> set{};                // form
    // metric and chart; as the parameters of the app's own route say it
    std::string_view measure{}, column{}, range{}, date_field{}, group_by{}, bucket{};
    Chart chart_kind = Chart::bar;
    bool compare = false;
    List<std::string_view> transitions{};  // actions
    bool remove = false, signup = false;
    List<const Entity*> entities{};    // search
    List<std::string_view> methods{};  // pay: card, offline; auth: password, …
    PrincipalSet settle = 0;           // pay: who may say that it was paid without a card
    std::string_view text{};           // chat: the greeting; pay: how to pay offline
    // A list with its own page: it has a search box and filters.
    bool tools = false;
    // A list of the rows that belong to the page's row: "Add" leads to a form with it filled in.
    std::string_view parent{};
    std::string_view component_name{};
    List<Pair> props{};  // component
};

struct Page {
    std::string_view route;  // /orders/:id
    std::string_view title;
    PrincipalSet to = kEveryone;
    List<Block> body{};
    bool in_menu = false;
    std::string_view label{}, icon{};  // there
    // A standard page about one entity: its heading is the row's name, its buttons lead to the
    // others.
    const Entity* about = nullptr;
    enum Role : std::uint8_t { own, home, rows, row, create, change } role = own;
};

// An ES module of components. It imports others of them by their names.
struct Script {
    std::string_view name, text;
};

enum class Font : std::uint8_t { system, serif, mono };

struct Site {
    std::string_view description{}, language{};
    std::string_view currency{};  // ISO 4217, upper case
    unsigned digits = 2;          // after the point of its amounts
    std::string_view accent{};    // #rrggbb; empty: the standard one
    std::string_view radius{};
    Font font = Font::system;
    List<Table> tables{};
    List<Page> pages{};     // in the order of the menu
    bool standard = false;  // made by the generator: the contract has none
    // The first mounts the components of a page; null: no page has any.
    const List<Script>* scripts = nullptr;
};

}  // namespace svc::page
