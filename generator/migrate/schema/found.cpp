// Reads PostgreSQL's definition of every object, as a hash: changes by hand show in it.
#include "migrate/schema/schema.hpp"

namespace svc::migrate {
namespace {

// Kind, name, text, table. A constraint's text leaves out whether it was validated: that comes
// later.
constexpr const char* kConstraints =
    "select 'constraint', t.relname || '.' || c.conname,"
    " replace(pg_get_constraintdef(c.oid), ' NOT VALID', ''), t.relname"
    " from pg_constraint c join pg_class t on t.oid = c.conrelid"
    " where t.relnamespace = to_regnamespace('public') and c.contype <> 'p'";

constexpr const char* kIndexes =
    " union all select 'index', i.relname, pg_get_indexdef(x.indexrelid) || x.indisvalid::text, "
    "t.relname"
    " from pg_index x join pg_class i on i.oid = x.indexrelid"
    " join pg_class t on t.oid = x.indrelid"
    " where t.relnamespace = to_regnamespace('public') and not x.indisprimary"
    " and not exists (select from pg_constraint c where c.conindid = x.indexrelid"
    "  and c.contype in ('u', 'x'))";

constexpr const char* kPolicies =
    " union all select 'policy', p.polname, concat_ws('|', t.relname, p.polcmd, p.polpermissive,"
    " p.polroles::regrole[]::text, pg_get_expr(p.polqual, p.polrelid),"
    " pg_get_expr(p.polwithcheck, p.polrelid)), t.relname"
    " from pg_policy p join pg_class t on t.oid = p.polrelid"
    " where t.relnamespace = to_regnamespace('public')";

constexpr const char* kTriggers =
    " union all select 'trigger', g.tgname, pg_get_triggerdef(g.oid) || g.tgenabled::text, "
    "t.relname"
    " from pg_trigger g join pg_class t on t.oid = g.tgrelid"
    " where t.relnamespace = to_regnamespace('public') and not g.tgisinternal";

constexpr const char* kFunctions =
    " union all select 'function', f.proname, string_agg(concat_ws('|', pg_get_functiondef(f.oid),"
    " f.proowner::regrole, f.proacl), '|' order by f.oid), ''"
    " from pg_proc f where f.pronamespace = to_regnamespace('svc') and f.prokind = 'f'"
    " group by f.proname";

constexpr const char* kSequences =
    " union all select 'sequence', s.relname, concat_ws('|', s.relowner::regrole, s.relacl), ''"
    " from pg_class s where s.relnamespace = to_regnamespace('public') and s.relkind = 'S'";

// Prints the rights of all: nobody but the owner and callers has any. What lists read of it goes
// with it.
constexpr const char* kViews =
    " union all select 'view', v.relname, concat_ws('|', v.relowner::regrole, v.relacl,"
    " v.reloptions, pg_get_viewdef(v.oid), (select concat_ws('|', l.relowner::regrole, l.relacl,"
    " l.reloptions, pg_get_viewdef(l.oid)) from pg_class l where l.relkind = 'v'"
    " and l.relnamespace = to_regnamespace('svc') and l.relname = v.relname || '_rows')), ''"
    " from pg_class v where v.relnamespace = to_regnamespace('public') and v.relkind = 'v'";

constexpr const char* kForeignTables =
    " union all select 'foreign', f.relname, concat_ws('|', f.relowner::regrole, f.relacl,"
    " s.srvname, t.ftoptions, (select string_agg(concat_ws(' ', a.attname, a.atttypid::regtype,"
    " a.attfdwoptions), ',' order by a.attnum) from pg_attribute a where a.attrelid = f.oid"
    " and a.attnum > 0 and not a.attisdropped)), ''"
    " from pg_foreign_table t join pg_class f on f.oid = t.ftrelid"
    " join pg_foreign_server s on s.oid = t.ftserver"
    " where f.relnamespace = to_regnamespace('svc_ext')";

// Only rights of callers: an apply does not manage those of other roles.
constexpr const char* kRights =
    " union all select 'rights', t.relname, (select string_agg(r.what, ',' order by r.what) from ("
    "  select concat_ws(':', a.grantee, a.privilege_type) as what from aclexplode(t.relacl) a"
    "   where a.grantee in (0, to_regrole($1)::oid)"
    "  union all select concat_ws(':', c.attname, a.grantee, a.privilege_type)"
    "   from pg_attribute c, aclexplode(c.attacl) a"
    "   where c.attrelid = t.oid and a.grantee in (0, to_regrole($1)::oid)) r), t.relname"
    " from pg_class t where t.relnamespace = to_regnamespace('public') and t.relkind in ('r', 'p')";

constexpr const char* kExpressions =
    " union all select case when c.attgenerated = '' then 'default' else 'generated' end,"
    " t.relname || '.' || c.attname, pg_get_expr(d.adbin, d.adrelid), t.relname"
    " from pg_attrdef d join pg_class t on t.oid = d.adrelid"
    " join pg_attribute c on c.attrelid = d.adrelid and c.attnum = d.adnum"
    " where t.relnamespace = to_regnamespace('public')";

// Before the ':'.
std::string version_of(const std::string& printed) { return printed.substr(0, printed.find(':')); }

}  // namespace

std::map<Key, FoundObject> read_found(pqxx::transaction_base& tx, const std::string& data_role) {
    const std::string all = std::string(kConstraints) + kIndexes + kPolicies + kTriggers +
                            kFunctions + kSequences + kViews + kForeignTables + kRights +
                            kExpressions;
    std::map<Key, FoundObject> found;
    const auto rows = tx.exec_params(
        "select o.kind, o.name, current_setting('server_version_num')::int / 10000 || ':' ||"
        " md5(coalesce(o.said, '')), o.of from (" +
            all + ") o (kind, name, said, of)",
        tx.quote_name(data_role));
    for (const auto& row : rows) {
        if (const auto kind = base::read_word<ObjectKind>(row[0].c_str()))
            found[{*kind, row[1].c_str()}] = {row[2].c_str(), row[3].c_str()};
    }
    return found;
}

// Another version of PostgreSQL may print the same thing in other words.
bool changed_by_hand(const Schema& schema, const Key& recorded, const Key& found) {
    const auto then = schema.recorded.find(recorded);
    if (then == schema.recorded.end() || then->second.printed.empty()) return false;
    const auto now = schema.found.find(found);
    if (now == schema.found.end()) return true;
    return now->second.printed != then->second.printed &&
           version_of(now->second.printed) == version_of(then->second.printed);
}

}  // namespace svc::migrate
