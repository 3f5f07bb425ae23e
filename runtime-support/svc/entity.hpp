// One entity as the runtime sees it: constant tables that the generator prints, and two functions
// that it specialises (print a row, may a viewer read it). Everything here is fixed before the
// server starts.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "svc/json.hpp"
#include "svc/list.hpp"
#include "svc/predicate.hpp"
#include "svc/sets.hpp"
#include "svc/type.hpp"

namespace svc {

// Who may send a column. Nobody on create: the server makes it. Nobody on update: it is immutable.
struct Writers {
    PrincipalSet create = kEveryone, update = kEveryone;

    constexpr Writers() = default;
    constexpr Writers(PrincipalSet both) : create(both), update(both) {}
    constexpr Writers(PrincipalSet creators, PrincipalSet updaters)
        : create(creators), update(updaters) {}
};

inline constexpr Writers kImmutable{kEveryone, kNobody};

struct Column {
    std::string_view name;  // column in the table, member in JSON, name in filters
    Type type = Type::text;
    PrincipalSet readers = kEveryone;  // who sees it
    Writers writers{};
    bool required = false;         // a create must send it: 23502
    bool has_default = false;      // a create that does not send it gets the contract's default
    std::uint32_t max_length = 0;  // in characters, 22001 beyond; 0: no limit
};

// A prepared statement. `types` are those of its parameters in order. Name and text never hold a
// caller's bytes.
struct Statement {
    std::string_view name;
    List<Type> types;
    std::string_view sql;
};

// Where a parameter of `create` and `update` comes from (svc/columns.hpp). `sent` is the boolean
// "the body has this column"; `value` its value or null; `versions` those that If-Match names, null
// without it.
struct Bind {
    enum Source : std::uint8_t { id, user_id, org_id, sent, value, versions };
    Source source = id;
    std::uint16_t column = 0;
};

// Parameters of statements that look alike in every entity whose key is `id`.
inline constexpr Type kId[] = {Type::uuid};
inline constexpr Type kIdAndVersions[] = {Type::uuid, Type::tags};
inline constexpr Type kTransition[] = {Type::uuid, Type::text, Type::tags};
inline constexpr Type kSearch[] = {Type::text, Type::tags, Type::integer};

// The same write for a caller who may not read the new row.
constexpr Statement without_returning(std::string_view name, const Statement& statement) {
    return {name, statement.types, statement.sql.substr(0, statement.sql.rfind("\nreturning "))};
}

// The principals with any grant for an operation; others get TABLE_FORBIDDEN without a round trip.
// Row-level security decides about rows.
struct Access {
    PrincipalSet read = kNobody;
    PrincipalSet create = kNobody;
    PrincipalSet update = kNobody;
    PrincipalSet remove = kNobody;
    // The principals that a denial of the whole operation excludes, whatever other principals they
    // are.
    PrincipalSet no_read = kNobody;
    PrincipalSet no_create = kNobody;
    PrincipalSet no_update = kNobody;
    PrincipalSet no_remove = kNobody;

    constexpr bool reads(PrincipalSet who) const { return may(who, read, no_read); }
    constexpr bool creates(PrincipalSet who) const { return may(who, create, no_create); }
    constexpr bool updates(PrincipalSet who) const { return may(who, update, no_update); }
    constexpr bool removes(PrincipalSet who) const { return may(who, remove, no_remove); }

  private:
    static constexpr bool may(PrincipalSet who, PrincipalSet to, PrincipalSet denied) {
        return (who & to) != 0 && (who & denied) == 0;
    }
};

// A constraint of the table by its name in the database, so that a violation names field and
// reason.
struct Constraint {
    std::string_view name;
    std::string_view field;  // empty if it spans several
    // The reason in words, with the bound; the field is its subject. Empty: the code of the
    // violation says it (a value is taken, a row that is referred to does not exist).
    std::string_view reason{};
};

// Columns that are unique together, by index, in the contract's order.
class Key {
  public:
    static constexpr std::size_t kMax = 32;  // PostgreSQL's bound for an index

    constexpr Key(std::initializer_list<std::uint16_t> columns) {
        for (const std::uint16_t column : columns) items_[size_++] = column;
    }
    constexpr List<std::uint16_t> columns() const { return {items_, size_}; }

  private:
    std::uint16_t items_[kMax] = {};
    std::size_t size_ = 0;
};

struct Transition {
    std::string_view name;
    List<std::string_view> from;
    std::string_view to;
    PrincipalSet by;
};

struct Lifecycle {
    std::string_view field;
    List<Transition> transitions;
    // $1 id, $2 transition name, $3 versions or null; gives the row, or raises SV403, SV409, SV412
    Statement apply;
};

// Full-text search: the fields whose words are found, and what they weigh.
struct SearchField {
    std::uint16_t column;
    char weight_class;  // A to D; fields that others may read are never of the same
};

struct Search {
    std::string_view config;  // PostgreSQL's, of the app's language
    List<SearchField> fields;
    // $1 words, $2 the classes that the caller may read ({a,b}), null for all, $3 limit; gives
    // rows, the best first
    Statement find;
    std::uint32_t max_length;  // characters of one field that are searched
};

struct Entity;

// A link to other rows, under its name in paths of expressions: over a ref to one row or none
// (`product`; the ref's own name, `product_id`, means the same), over a relation to those that
// refer to it (`lines`).
struct Link {
    enum Kind : std::uint8_t { one, many };
    std::string_view name;  // no two links of an entity have the same
    Kind kind;
    std::uint16_t column;  // of the entity: the ref; of many: id
    const Entity* target;
    std::uint16_t target_column = 0;  // equal to it: id; of many: the ref that points back
};

// A column of a row, and the attribute of the caller that it is compared with, for callers in
// `who`.
struct ReadKey {
    enum Of : std::uint8_t { id, org, email };
    PrincipalSet who;
    std::uint16_t column;
    Of of;
};

// Another table that the policy for reading uses: a change of one of its rows may make a row of
// this entity visible or hidden.
struct Look {
    static constexpr std::uint16_t kAnyRow = 0xffff, kNoKey = 0xffff;
    const Entity* target;
    // The column with the row whose policy decides for this one (same_as). kAnyRow: the policy
    // compares values of rows there, as follows.
    std::uint16_t column = kAnyRow;
    bool made = false;             // rows that are made there matter too, not only what changes
    PrincipalSet who = kEveryone;  // for which callers it looks there
    ColumnSet columns = ColumnSet::all();  // of the target; no other column makes a difference
    // A change concerns the callers whose value this column of the target has, before or after it.
    // kNoKey: it may concern anybody of `who`.
    std::uint16_t key = kNoKey;
    ReadKey::Of of = ReadKey::id;
};

enum class Stamp : std::uint8_t { none = 0, user = 1, org = 2, both = 3 };

struct Entity {
    std::string_view name;         // table and route
    std::string_view title;        // for messages and documents
    List<Column> columns;          // id first; the order of every row
    std::string_view fields_json;  // the envelope's `fields` with every column (svc/columns.hpp)
    Stamp stamp = Stamp::none;     // owner columns user_id, org_id are stamped from the caller
    // Its rows are in another database: they have no versions, their key may have any type, and
    // each statement may take as long as that database takes.
    bool external = false;
    Access access;

    // Statements that return one row (get, create, update, a transition) return one more column
    // after the entity's own: xmin, which makes the version of the row together with updated_at.
    Statement get;          // $1 id
    std::string_view list;  // "select … from …", to which the runtime adds where, order by, limit
    Statement create;
    List<Bind> create_binds;
    Statement insert;  // create without RETURNING, for a creator who may not read: same parameters;
                       // of external ones it gives the key
    Statement update;  // gives the row
    List<Bind> update_binds;
    Statement remove;  // $1 id, $2 versions or null, which external ones have not; gives the id
    // $1 id; gives the row that was deleted, or raises SV404, SV403, or a violation. No name:
    // deleted rows are gone.
    Statement restore{};
    bool audit = false;         // svc.history records changes of its rows
    bool newest_first = false;  // an index has its rows by created_at and id
    const Lifecycle* lifecycle = nullptr;
    const Search* search = nullptr;  // null: nothing of it is found

    List<Constraint> constraints{};
    List<Key> keys{};  // beside the id; of external ones their key, as it is sent
    List<Link> links{};
    List<Look> looks{};
    List<std::uint16_t> files{};  // columns that hold the id of a file

    void (*write_row)(const Row& row, const ColumnSet& visible, Out& out);
    // The decision of the read policy about a row; `ask` if the policy reads other rows. Null: only
    // the database can decide.
    ReadDecision (*may_read)(const Record& row, const Viewer& viewer) = nullptr;
    // For a row where no key of theirs equals, it gives all callers of the same principals the same
    // answer: that for a caller without id, organisation and address. This does not hold for
    // callers who are one of `read_varies`.
    List<ReadKey> read_keys{};
    PrincipalSet read_varies = kEveryone;
    // Only callers with one of these principals can get `ask`.
    PrincipalSet read_asks = kEveryone;
};

}  // namespace svc
