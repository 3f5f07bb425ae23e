#include "operate/schema_json.hpp"

#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kTables = R"(
select coalesce(json_agg(json_build_object(
    'name', t.relname,
    'managed', exists (select from svc.managed m where m.kind = 'table' and m.name = t.relname),
    'rows', greatest(t.reltuples, 0)::bigint,
    'columns', (select coalesce(json_agg(json_build_object(
            'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
            'nullable', not a.attnotnull,
            'default', case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end,
            'generated', case when a.attgenerated <> '' then pg_get_expr(d.adbin, d.adrelid) end)
            order by a.attnum), '[]')
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped),
    'primaryKey', (select coalesce(json_agg(a.attname order by array_position(c.conkey, a.attnum)), '[]')
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
        where c.conrelid = t.oid and c.contype = 'p'),
    'foreignKeys', (select coalesce(json_agg(json_build_object(
            'name', c.conname,
            'columns', (select json_agg(a.attname order by array_position(c.conkey, a.attnum))
                from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any (c.conkey)),
            'table', c.confrelid::regclass::text,
            'references', (select json_agg(a.attname order by array_position(c.confkey, a.attnum))
                from pg_attribute a where a.attrelid = c.confrelid and a.attnum = any (c.confkey)),
            'onDelete', case c.confdeltype when 'c' then 'cascade' when 'n' then 'set null'
                when 'd' then 'set default' when 'r' then 'restrict' else 'no action' end)
            order by c.conname), '[]')
        from pg_constraint c where c.conrelid = t.oid and c.contype = 'f'),
    'checks', (select coalesce(json_agg(json_build_object(
            'name', c.conname, 'definition', pg_get_constraintdef(c.oid)) order by c.conname), '[]')
        from pg_constraint c where c.conrelid = t.oid and c.contype = 'c'),
    'indexes', (select coalesce(json_agg(json_build_object(
            'name', i.indexrelid::regclass::text, 'unique', i.indisunique, 'valid', i.indisvalid,
            'definition', pg_get_indexdef(i.indexrelid)) order by i.indexrelid::regclass::text), '[]')
        from pg_index i where i.indrelid = t.oid),
    'policies', (select coalesce(json_agg(json_build_object(
            'name', p.polname,
            'command', case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
                when 'd' then 'delete' else 'all' end,
            'using', pg_get_expr(p.polqual, p.polrelid),
            'check', pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname), '[]')
        from pg_policy p where p.polrelid = t.oid))
    order by t.relname), '[]')
from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p'))";

constexpr const char* kViews = R"(
select coalesce(json_agg(json_build_object(
    'name', v.relname,
    'managed', exists (select from svc.managed m where m.kind = 'view' and m.name = v.relname),
    'columns', (select coalesce(json_agg(json_build_object(
            'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum), '[]')
        from pg_attribute a where a.attrelid = v.oid and a.attnum > 0 and not a.attisdropped),
    'definition', pg_get_viewdef(v.oid)) order by v.relname), '[]')
from pg_class v where v.relnamespace = 'public'::regnamespace and v.relkind in ('v', 'm'))";

constexpr const char* kFunctions = R"(
select coalesce(json_agg(json_build_object(
    'schema', n.nspname, 'name', f.proname, 'arguments', pg_get_function_arguments(f.oid),
    'returns', pg_get_function_result(f.oid), 'language', l.lanname,
    'managed', exists (select from svc.managed m where m.kind = 'function' and m.name = f.proname))
    order by n.nspname, f.proname, f.oid), '[]')
from pg_proc f join pg_namespace n on n.oid = f.pronamespace join pg_language l on l.oid = f.prolang
where n.nspname in ('public', 'svc') and l.lanname not in ('c', 'internal'))";

constexpr const char* kTriggers = R"(
select coalesce(json_agg(json_build_object(
    'name', g.tgname, 'table', t.relname, 'enabled', g.tgenabled <> 'D',
    'managed', exists (select from svc.managed m where m.kind = 'trigger' and m.name = g.tgname),
    'definition', pg_get_triggerdef(g.oid)) order by t.relname, g.tgname), '[]')
from pg_trigger g join pg_class t on t.oid = g.tgrelid
where t.relnamespace = 'public'::regnamespace and not g.tgisinternal)";

}  // namespace

std::string schema_json(const std::string& admin_url) {
    Reading reading(admin_url);
    reading.tx.exec0("set local search_path = public");
    const auto part = [&reading](const char* sql) {
        return std::string(reading.tx.exec1(sql)[0].c_str());
    };
    return "{\"tables\":" + part(kTables) + ",\"views\":" + part(kViews) +
           ",\"functions\":" + part(kFunctions) + ",\"triggers\":" + part(kTriggers) + "}";
}

}  // namespace svc::devapi
