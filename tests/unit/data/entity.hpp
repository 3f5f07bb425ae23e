// An entity as the generator would print it, for tests of the data routes: table item, on which a
// clerk may do all but change what is locked, a guest may only drop things in, and nobody else sees
// the cost.
#pragma once

#include <string>
#include <vector>

#include "svc/app.hpp"

namespace svc::test {

inline constexpr PrincipalSet kClerk = 1U << principal::kFirstPersona;
inline constexpr PrincipalSet kManager = kClerk << 1;

inline constexpr Column kItemColumns[] = {
    {.name = "id", .type = Type::uuid, .writers = kNobody},
    {.name = "user_id", .type = Type::uuid, .writers = kNobody},
    {.name = "title", .type = Type::text, .required = true, .max_length = 20},
    {.name = "price", .type = Type::money},
    {.name = "cost", .type = Type::decimal, .readers = kManager, .writers = {kManager, kEveryone}},
    {.name = "day", .type = Type::date},
    {.name = "seen_at", .type = Type::timestamp},
    {.name = "tags", .type = Type::tags},
    {.name = "extra", .type = Type::json},
    {.name = "active", .type = Type::boolean},
    {.name = "status", .type = Type::enumeration, .writers = kNobody},
};

inline void write_item(const Row& row, const ColumnSet& visible, Out& out) {
    write_plain(out, "{\"id\":", row, 0);
    write_plain(out, ",\"user_id\":", row, 1);
    write_text(out, ",\"title\":", row, 2);
    write_number(out, ",\"price\":", row, 3);
    if (visible[4]) write_decimal(out, ",\"cost\":", row, 4);
    write_plain(out, ",\"day\":", row, 5);
    write_timestamp(out, ",\"seen_at\":", row, 6);
    write_tags(out, ",\"tags\":", row, 7);
    write_json(out, ",\"extra\":", row, 8);
    write_boolean(out, ",\"active\":", row, 9);
    write_text(out, ",\"status\":", row, 10);
    out += '}';
}

#define ITEM_COLUMNS "id, user_id, title, price, cost, day, seen_at, tags, extra, active, status"
#define ITEM_INSERT                                                                         \
    "insert into item (id, user_id, title, price, cost, day, seen_at, tags, extra, active)" \
    " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"

inline constexpr Type kId[] = {Type::uuid};
inline constexpr Type kRemove[] = {Type::uuid, Type::tags};
inline constexpr Type kMove[] = {Type::uuid, Type::text, Type::tags};
inline constexpr Type kCreate[] = {Type::uuid,    Type::uuid,   Type::text,      Type::money,
                                   Type::decimal, Type::date,   Type::timestamp, Type::tags,
                                   Type::json,    Type::boolean};
inline constexpr Bind kCreateBinds[] = {
    {Bind::id},       {Bind::user_id, 1}, {Bind::value, 2}, {Bind::value, 3}, {Bind::value, 4},
    {Bind::value, 5}, {Bind::value, 6},   {Bind::value, 7}, {Bind::value, 8}, {Bind::value, 9}};
inline constexpr Type kUpdate[] = {Type::uuid,    Type::boolean, Type::text,
                                   Type::boolean, Type::money,   Type::tags};
inline constexpr Bind kUpdateBinds[] = {{Bind::id},      {Bind::sent, 2},  {Bind::value, 2},
                                        {Bind::sent, 3}, {Bind::value, 3}, {Bind::versions}};

inline constexpr std::string_view kFromOpen[] = {"open"}, kFromLocked[] = {"locked"};
inline constexpr Transition kTransitions[] = {{"lock", kFromOpen, "locked", kClerk},
                                              {"release", kFromLocked, "open", kManager}};
inline constexpr Lifecycle kItemLifecycle{
    "status",
    kTransitions,
    {.name = "item_transition",
     .types = kMove,
     .sql = "select " ITEM_COLUMNS ", pg_current_xact_id()::xid from item_transition($1, $2)"
            " where $3 is null"}};

inline constexpr Constraint kItemConstraints[] = {
    {"item_price_min", "price", "must be at least 0."}, {"item_title_key", "title"}};

inline constexpr Entity kItem = {
    .name = "item",
    .title = "Item",
    .columns = kItemColumns,
    .fields_json = "[\"every field\"]",
    .stamp = Stamp::user,
    .access = {.read = kClerk | kManager,
               .create = kEveryone,
               .update = kClerk | kManager,
               .remove = kClerk | kManager},
    .get = {.name = "item_get",
            .types = kId,
            .sql = "select " ITEM_COLUMNS ", xmin from item where id = $1"},
    .list = "select " ITEM_COLUMNS " from item",
    .create = {.name = "item_create",
               .types = kCreate,
               .sql = ITEM_INSERT " returning " ITEM_COLUMNS ", xmin"},
    .create_binds = kCreateBinds,
    .insert = {.name = "item_insert", .types = kCreate, .sql = ITEM_INSERT},
    .update = {.name = "item_update",
               .types = kUpdate,
               .sql = "update item set title = case when $2 then $3 else title end,"
                      " price = case when $4 then $5 else price end"
                      " where id = $1 and ($6 is null or xmin::text = any ($6))"
                      " returning " ITEM_COLUMNS ", xmin"},
    .update_binds = kUpdateBinds,
    .remove = {.name = "item_remove",
               .types = kRemove,
               .sql = "delete from item where id = $1 and ($2 is null or xmin::text = any ($2))"
                      " returning id"},
    .lifecycle = &kItemLifecycle,
    .constraints = kItemConstraints,
    .write_row = write_item,
};
inline constexpr const Entity* kEntities[] = {&kItem};

#undef ITEM_COLUMNS
#undef ITEM_INSERT

inline App item_app() {
    App app{};
    app.timezone = "Europe/Paris";
    return app;
}
inline const App kItemApp = item_app();

// Run by the owner; :role is the role of the data pool.
inline constexpr const char* kItemTable = R"sql(
create table item (id uuid primary key, user_id uuid, title text not null constraint item_title_key unique,
    price bigint constraint item_price_min check (price >= 0), cost numeric, day date, seen_at timestamptz,
    tags text[], extra jsonb, active boolean, status text not null default 'open');
create table item_part (item_id uuid references item);
alter table item enable row level security;
create policy see on item for select using ((select svc.acts_as('clerk', 'manager')));
create policy make on item for insert with check (title <> 'forbidden');
create policy change on item for update using ((select svc.acts_as('clerk', 'manager')) and status = 'open');
create policy drop on item for delete using ((select svc.acts_as('clerk', 'manager')) and status = 'open');
create function refuse_devil() returns trigger language plpgsql as $$
begin
    if new.price = 666 then
        raise exception 'No such price.' using errcode = 'SV422', column = 'price';
    end if;
    return new;
end $$;
create trigger refuse_devil before insert or update on item for each row execute function refuse_devil();
create function item_transition(p_id uuid, p_name text) returns setof item language plpgsql security definer as $$
declare r item;
begin
    select * into r from item where id = p_id for update;
    if not found then return; end if;
    if p_name = 'release' and not svc.acts_as('manager') then
        raise exception 'Not yours.' using errcode = 'SV403';
    end if;
    if r.status <> (case p_name when 'lock' then 'open' else 'locked' end) then
        raise exception 'It is %.', r.status using errcode = 'SV409', detail = r.status;
    end if;
    update item set status = case p_name when 'lock' then 'locked' else 'open' end
    where id = r.id returning * into r;
    return next r;
end $$;
grant select, insert, update, delete on item, item_part to :role;
)sql";

}  // namespace svc::test
