// A table with a column of every type, many rows with nulls and equal values, and lists of it,
// which are compared with plain SQL. Clerks read all rows, managers those that are flagged.
#pragma once

#include <algorithm>
#include <cctype>
#include <vector>

#include "data/actions.hpp"
#include "unit/data/fixture.hpp"

namespace svc::test {

inline constexpr Column kEveryColumns[] = {
    {.name = "id", .type = Type::uuid},
    {.name = "label", .type = Type::text},
    {.name = "pieces", .type = Type::integer},
    {.name = "ratio", .type = Type::decimal},
    {.name = "weight", .type = Type::floating},
    {.name = "price", .type = Type::money},
    {.name = "flag", .type = Type::boolean},
    {.name = "day", .type = Type::date},
    {.name = "clock", .type = Type::time},
    {.name = "at", .type = Type::timestamp},
    {.name = "kind", .type = Type::enumeration},
    {.name = "tags", .type = Type::tags},
    {.name = "extra", .type = Type::json},
    {.name = "ref", .type = Type::uuid},
    {.name = "code", .type = Type::text, .required = true},
};

inline void write_id(const Row& row, const ColumnSet&, Out& out) {
    write_plain(out, "{\"id\":", row, 0);
    out += '}';
}

#define EVERY_COLUMNS \
    "id, label, pieces, ratio, weight, price, flag, day, clock, at, kind, tags, extra, ref, code"

inline constexpr Entity kEvery = {
    .name = "every",
    .title = "",
    .columns = kEveryColumns,
    .fields_json = "[]",
    .access = {.read = kClerk | kManager},
    .get = {},
    .list = "select " EVERY_COLUMNS " from every",
    .create = {},
    .create_binds = {},
    .insert = {},
    .update = {},
    .update_binds = {},
    .remove = {},
    .write_row = write_id,
};

#undef EVERY_COLUMNS

// Values repeat, one in six or so is null. Moments lie around now, and around the days on which
// clocks are changed: in Paris at 01:00 UTC, in the Azores and Havana at midnight of their own.
inline constexpr const char* kEveryTable = R"sql(
create table every (id uuid primary key default svc.new_id(), label text, pieces bigint, ratio numeric,
    weight double precision, price bigint, flag boolean, day date, clock time, at timestamptz, kind text,
    tags text[], extra jsonb, ref uuid, code text not null);
create function pick(n int, variadic choices text[]) returns text language sql immutable
return choices[1 + abs(hashint4(n * 31 + array_length(choices, 1) * 7)) % array_length(choices, 1)];
create function moment(n int) returns timestamptz language sql stable
return case n % 5
    when 0 then now() + (hashint4(n) % 800) * interval '1 hour' + interval '7 minutes'
    when 1 then timestamptz '2026-10-24 20:30Z' + (abs(hashint4(n)) % 14) * interval '30 minutes'
    when 2 then timestamptz '2026-11-01 02:30Z' + (abs(hashint4(n)) % 10) * interval '30 minutes'
    when 3 then timestamptz '2026-03-28 21:15:00.000001Z' + (abs(hashint4(n)) % 60) * interval '1 hour'
    else now() + (hashint4(n) % 70) * interval '1 day' + interval '11.000003 minutes' end;
insert into every (label, pieces, ratio, weight, price, flag, day, clock, at, kind, tags, extra, ref, code)
select pick(n, null, 'Apple', 'apple pie', 'Äpfel', 'ÄPFEL', '100%', '100', 'a_b', 'aXb', 'back\slash', '', 'ß', 'zebra'),
    pick(n + 1, null, '-3', '0', '5', '5', '9223372036854775807')::bigint,
    pick(n + 2, null, '0.1', '0.10', '1e20', '-7.25', '123456789012345678901234567890.123456789', 'NaN')::numeric,
    pick(n + 3, null, '0.1', '-0', '0', '1e300', '0.30000000000000004', 'NaN', 'Infinity', '-Infinity')::float8,
    pick(n + 4, null, '650', '900', '2500')::bigint,
    pick(n + 5, null, 'true', 'false')::boolean,
    case when n % 7 <> 0 then (moment(n) at time zone 'UTC')::date end,
    pick(n + 6, null, '00:00', '13:37', '13:37:00.000001', '23:59:59.999999')::time,
    case when n % 6 <> 0 then moment(n) end,
    pick(n + 7, null, 'open', 'Locked', 'done'),
    case when n % 6 <> 1 then array_remove(array[pick(n + 8, null, 'red', 'Red', 'a,b'), pick(n + 9, null, 'blue', 'NULL', '{"}')], null) end,
    pick(n + 10, null, '{"a": 1}', '{"a": 1.0, "b": [true]}', '[]', '"text"', '5', 'null')::jsonb,
    pick(n + 11, null, '00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b')::uuid,
    pick(n + 12, 'x', 'y', 'Z')
from generate_series(1, 400) n;
alter table every enable row level security;
create policy see on every for select using ((select svc.acts_as('clerk')) or ((select svc.acts_as('manager')) and flag));
grant select, insert, delete on every to :role;
)sql";

}  // namespace svc::test

namespace svc::data {

class EveryTest : public DataTest {
  protected:
    void SetUp() override {
        DataTest::SetUp();
        if (IsSkipped()) return;
        std::string table = test::kEveryTable;
        table.replace(table.find(":role"), 5, role);
        database->sql(table);
    }

    static std::string escaped(const std::string& text) {
        std::string out;
        for (const char c : text) {
            char hex[4];
            std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned char>(c));
            out += std::isalnum(static_cast<unsigned char>(c)) ? std::string(1, c) : hex;
        }
        return out;
    }

    // GET /every?query; the status. The answer is left in `body`.
    int list(const std::string& query, const Caller& who = kClerk) {
        test::FakeExchange exchange("GET", "/");
        const_cast<http::Head&>(exchange.head()).query = query;
        const Route route{Method::get, "", Action::list, &test::kEvery};
        return answered(exchange,
                        perform(route, "", exchange, who, test::kItemApp, *pool, kSigner));
    }

    std::vector<std::string> ids() const {
        std::vector<std::string> out;
        const std::string mark = "{\"id\":\"";
        for (auto at = body.find(mark); at != std::string::npos; at = body.find(mark, at + 1)) {
            out.push_back(body.substr(at + mark.size(), 36));
        }
        return out;
    }

    // Ids of the rows for which plain SQL holds, by id or in this order.
    std::vector<std::string> oracle(const std::string& condition,
                                    const std::string& order = "id") const {
        const std::string all = database->sql(
            "set timezone = 'UTC'; select coalesce(string_agg(id::text, ',' order by " + order +
            "), '') from every where " + condition);
        std::vector<std::string> out;
        for (std::size_t at = 0; at < all.size(); at += 37) out.push_back(all.substr(at, 36));
        return out;
    }

    std::string member(const std::string& name) const {
        const std::string mark = "\"" + name + "\":";
        const auto at = body.find(mark);
        if (at == std::string::npos) return "";
        const auto from = at + mark.size();
        const std::string raw = body.substr(from, body.find_first_of(",}", from) - from);
        return raw.starts_with('"') ? raw.substr(1, raw.size() - 2) : raw;
    }
};

}  // namespace svc::data
