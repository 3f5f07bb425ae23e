#include "unit/data/thing.hpp"

namespace svc::test {
namespace {

constexpr Column kThingColumns[] = {
    {.name = "id", .type = Type::uuid},
    {.name = "above_id", .type = Type::uuid},
    {.name = "title", .type = Type::text},
    {.name = "whole", .type = Type::integer},
    {.name = "exact", .type = Type::decimal},
    {.name = "rough", .type = Type::floating},
    {.name = "price", .type = Type::money},
    {.name = "yes", .type = Type::boolean},
    {.name = "day", .type = Type::date},
    {.name = "clock", .type = Type::time},
    {.name = "moment", .type = Type::timestamp},
    {.name = "kind", .type = Type::enumeration},
    {.name = "tags", .type = Type::tags},
    {.name = "extra", .type = Type::json},
    {.name = "secret", .type = Type::text, .readers = kThingManager},
    {.name = "secret_id", .type = Type::uuid, .readers = kThingManager},
    {.name = "vault_id", .type = Type::uuid},
};

#define THING_COLUMNS                                                                              \
    "id, above_id, title, whole, exact, rough, price, yes, day, clock, moment, kind, tags, extra," \
    " secret, secret_id, vault_id"

void write_thing(const Row& row, const ColumnSet& visible, Out& out) {
    write_plain(out, "{\"id\":", row, 0);
    write_plain(out, ",\"above_id\":", row, 1);
    write_text(out, ",\"title\":", row, 2);
    write_number(out, ",\"whole\":", row, 3);
    write_decimal(out, ",\"exact\":", row, 4);
    write_decimal(out, ",\"rough\":", row, 5);
    write_number(out, ",\"price\":", row, 6);
    write_boolean(out, ",\"yes\":", row, 7);
    write_plain(out, ",\"day\":", row, 8);
    write_plain(out, ",\"clock\":", row, 9);
    write_timestamp(out, ",\"moment\":", row, 10);
    write_text(out, ",\"kind\":", row, 11);
    write_tags(out, ",\"tags\":", row, 12);
    write_json(out, ",\"extra\":", row, 13);
    if (visible[14]) write_text(out, ",\"secret\":", row, 14);
    if (visible[15]) write_plain(out, ",\"secret_id\":", row, 15);
    write_plain(out, ",\"vault_id\":", row, 16);
    out += '}';
}

// Rows that nobody has a grant for.
constexpr Column kVaultColumns[] = {{.name = "id", .type = Type::uuid}};
constexpr Entity vault() {
    Entity out{};
    out.name = "vault";
    out.columns = kVaultColumns;
    out.list = "select id from vault";
    return out;
}
constexpr Entity kVault = vault();

constexpr Type kThingId[] = {Type::uuid};

constexpr Link kThingLinks[] = {
    {"above", Link::one, 1, &kThing},        {"secret_id", Link::one, 15, &kThing},
    {"vault", Link::one, 16, &kVault},       {"below", Link::many, 0, &kThing, 1},
    {"secrets", Link::many, 0, &kThing, 15},
};

constexpr Entity thing() {
    Entity out{};
    out.name = "thing";
    out.columns = kThingColumns;
    out.fields_json = R"([{"name":"every field","type":"25"}])";
    out.access.read = kEveryone;
    out.get = {"thing_get", kThingId, "select " THING_COLUMNS ", xmin from thing where id = $1"};
    out.list = "select " THING_COLUMNS " from thing";
    out.links = kThingLinks;
    out.write_row = write_thing;
    return out;
}

}  // namespace

constinit const Entity kThing = thing();

#undef THING_COLUMNS

}  // namespace svc::test
