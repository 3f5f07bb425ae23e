// An entity with a column of every type, whose rows hang below each other: values in a row of a
// list and as a linked row must have the same form.
#pragma once

#include "svc/app.hpp"

namespace svc::test {

inline constexpr PrincipalSet kThingManager = 1U << (principal::kFirstPersona + 1);

extern const Entity kThing;

// Run by the owner; :role is the role of the data pool.
inline constexpr const char* kThingTable = R"sql(
create table thing (id uuid primary key, above_id uuid, title text, whole bigint, exact numeric,
    rough double precision, price bigint, yes boolean, day date, clock time, moment timestamptz, kind text,
    tags text[], extra jsonb, secret text, secret_id uuid, vault_id uuid);
create table vault (id uuid);
alter table thing enable row level security;
create policy see on thing for select using (kind is distinct from 'hidden');
grant select on thing to :role;
)sql";

}  // namespace svc::test
