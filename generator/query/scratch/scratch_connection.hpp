// A connection to any PostgreSQL, in one transaction that is never committed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pq/connection.hpp"
#include "query/budget.hpp"
#include "query/scratch/node_tree.hpp"

namespace svc::query {

struct StatementDescription {
    struct Column {
        std::string name;
        std::uint32_t type = 0;
        std::uint32_t table = 0;  // whose column it is as it stands; 0: of none
        int number = 0;           // which, from 1
    };
    std::vector<Column> columns;
};

// A column that a statement reads, sets in new rows or changes.
struct ColumnAccess {
    enum class How { reads, inserts, updates } how = How::reads;
    std::string table;
    int number = 0;  // from 1; 0: the row as a whole
};

struct Refusal {
    std::string state;    // SQLSTATE
    std::string message;  // one line
    std::string hint;
    int position = 0;  // character, from 1; 0: none
};

class ScratchConnection {
  public:
    // Throws std::runtime_error if there is no PostgreSQL. Every question below counts against
    // `budget`, which outlives the connection, and throws TooSlow once that is spent. Trials have
    // no rights. With `schemas` it is an app's own database: names are looked up in them, and
    // nothing runs.
    ScratchConnection(const std::string& url, const Budget& budget,
                      const std::string& schemas = {});

    // Once, before the questions below, which leave everything as it is then. Throws
    // std::runtime_error if it is refused.
    void make_tables(const std::string& statements);
    // Their names.
    const std::map<std::uint32_t, std::string>& tables() const { return tables_; }

    // The description of a statement, or the reason why it cannot be prepared.
    std::optional<StatementDescription> describe(const std::string& sql,
                                                 const std::vector<std::uint32_t>& types,
                                                 Refusal& refusal);
    // Runs a query that answers yes or no; none: why it does not answer.
    std::optional<bool> ask(const std::string& sql, Refusal& refusal);
    // The tree of a statement that can be prepared (node_tree.hpp), and the number of bytes before
    // the statement in the resolved text. `types` are names.
    struct Tree {
        std::string text;
        int before = 0;
    };
    std::optional<Tree> tree(const std::string& sql, const std::vector<std::string>& types,
                             Refusal& refusal);
    // The names in the catalogue.
    struct Named {
        std::string schema, name;  // of an array type those of its elements
        char kind = ' ';           // pg_type.typtype
        bool casts = false;        // a function that some cast calls
        std::string columns = {};  // of a row type: names of its columns' types, "?" for others
    };
    struct Names {
        std::map<std::uint32_t, Named> functions, operators, types, relations;
    };
    Names names(const std::vector<Resolved>& found);
    // Enumerations of schema public whose bare names mean them: a type of PostgreSQL's own with the
    // same name comes first.
    std::set<std::string> enums();
    // Every column that it touches, in a condition or a sub-select too.
    std::optional<std::vector<ColumnAccess>> column_accesses(const std::string& sql,
                                                             const std::vector<std::string>& types,
                                                             Refusal& refusal);

  private:
    // The text that has PostgreSQL resolve and keep a statement.
    static std::string resolving(const std::vector<std::string>& types);
    std::map<std::uint32_t, Named> named(const std::set<std::uint32_t>& ids, const char* question);
    // The first column of what `question` finds in the statement as PostgreSQL resolved it.
    std::optional<std::vector<std::string>> resolved(const std::string& sql,
                                                     const std::vector<std::string>& types,
                                                     const char* question, Refusal& refusal);
    void run(const std::string& statements);
    void give_rights_up();
    // Says how long the next statement may take.
    std::string bound() const;
    // Undoes what failed; throws where the connection is lost.
    void give_up(const Refusal& refusal);

    pq::Connection connection_;
    const Budget& budget_;
    std::string as_nobody_;  // before what is run; empty: the connection has no rights as it is
    std::map<std::uint32_t, std::string> tables_;
};

}  // namespace svc::query
