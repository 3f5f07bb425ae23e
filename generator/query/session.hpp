// A connection to any PostgreSQL, in one transaction that is never committed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace svc::query {

struct Described {
    struct Column {
        std::string name;
        std::uint32_t type = 0;
        std::uint32_t table = 0;  // whose column it is as it stands; 0: of none
        int number = 0;           // which, from 1
    };
    std::vector<Column> columns;
};

struct Refusal {
    std::string state;    // SQLSTATE
    std::string message;  // one line
    std::string hint;
    int position = 0;  // character, from 1; 0: none
};

class Session {
  public:
    // Throws std::runtime_error where there is no PostgreSQL.
    explicit Session(const std::string& url);

    // Throws std::runtime_error where it is refused.
    void run(const std::string& statements);
    // Names of the temporary tables.
    std::map<std::uint32_t, std::string> tables();
    // What a statement gives, or why it does not prepare. The transaction is as it was.
    std::optional<Described> describe(const std::string& sql,
                                      const std::vector<std::uint32_t>& types, Refusal& refusal);
    // Functions that a statement which prepares would call, as PostgreSQL resolved it: those called
    // by their name or as an attribute (a.f is f(a)), casts and operators not among them. Names of
    // other schemas have that before them. `types` are names. Throws std::runtime_error.
    std::vector<std::string> calls(const std::string& sql, const std::vector<std::string>& types);

  private:
    // Row after row, value after value.
    std::vector<std::string> values(const std::string& statement);

    struct Close {
        void operator()(void* connection) const;
    };
    std::unique_ptr<void, Close> connection_;
};

}  // namespace svc::query
