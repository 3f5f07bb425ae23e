// The objects that depend on a column according to PostgreSQL: those that block a change of its
// type, or that are dropped with it.
#include "migrate/schema/schema.hpp"

namespace svc::migrate {
namespace {

// Kind and name as in a Key. PostgreSQL reads a function's string body only when it runs, so such
// functions are not listed. A generated column depends on others by its expression; up to version
// 14 by the column itself.
constexpr const char* kDependents =
    "select t.relname, a.attname, o.kind, o.name from pg_depend d"
    " join pg_class t on t.oid = d.refobjid and t.relnamespace = to_regnamespace('public')"
    " join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid"
    " join lateral ("
    "  select 'policy', p.polname::text from pg_policy p"
    "   where d.classid = 'pg_policy'::regclass and p.oid = d.objid"
    "  union all select 'trigger', g.tgname from pg_trigger g"
    "   where d.classid = 'pg_trigger'::regclass and g.oid = d.objid and not g.tgisinternal"
    "  union all select 'constraint', r.relname || '.' || c.conname from pg_constraint c"
    "   join pg_class r on r.oid = c.conrelid"
    "   where d.classid = 'pg_constraint'::regclass and c.oid = d.objid"
    "  union all select 'index', i.relname from pg_class i"
    "   where d.classid = 'pg_class'::regclass and i.oid = d.objid and i.relkind = 'i'"
    "  union all select 'view', v.relname from pg_rewrite w join pg_class v on v.oid = w.ev_class"
    "   where d.classid = 'pg_rewrite'::regclass and w.oid = d.objid"
    "  union all select 'function', f.proname from pg_proc f"
    "   where d.classid = 'pg_proc'::regclass and f.oid = d.objid"
    "  union all select 'generated', r.relname || '.' || b.attname from pg_attrdef e"
    "   join pg_class r on r.oid = e.adrelid"
    "   join pg_attribute b on b.attrelid = e.adrelid and b.attnum = e.adnum"
    "   where d.classid = 'pg_attrdef'::regclass and e.oid = d.objid and b.attgenerated <> ''"
    "    and (e.adrelid, e.adnum) is distinct from (d.refobjid, d.refobjsubid)"
    "  union all select 'generated', r.relname || '.' || b.attname from pg_class r"
    "   join pg_attribute b on b.attrelid = r.oid and b.attnum = d.objsubid"
    "   where d.classid = 'pg_class'::regclass and r.oid = d.objid and b.attgenerated <> ''"
    " ) o (kind, name) on true"
    " where d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0";

}  // namespace

std::map<TableColumn, std::set<Key>> read_dependents(pqxx::transaction_base& tx) {
    std::map<TableColumn, std::set<Key>> out;
    for (const auto& row : tx.exec(kDependents)) {
        if (const auto kind = base::read_word<ObjectKind>(row[2].c_str()))
            out[{row[0].c_str(), row[1].c_str()}].insert({*kind, row[3].c_str()});
    }
    return out;
}

bool stands_on(const Schema& schema, const Key& object, const TableColumn& column) {
    const auto found = schema.dependents.find(column);
    return found != schema.dependents.end() && found->second.contains(object);
}

}  // namespace svc::migrate
