// What generated code calls to read request bodies and to print rows. All work is in the runtime
// library: these declarations keep generated files small and quick to compile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "svc/list.hpp"
#include "svc/values.hpp"

namespace svc {

struct Column;

// One row of a PostgreSQL result in text form. A view: it lives as long as the result.
class Row {
  public:
    Row(const void* result, int index) : result_(result), index_(index) {}
    bool null(int column) const;
    std::string_view text(int column) const;  // empty when null
    std::uint32_t type(int column) const;     // PostgreSQL's oid; 0 where nobody said

  private:
    const void* result_;  // PGresult; libpq stays out of this header
    int index_;
};

// Reads one JSON object, a member at a time, strictly after RFC 8259. The first mistake is kept
// with the database's code that PostgreSQL would give it; after it every call returns false.
class JsonReader {
  public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    // Moves to the next member. False at the end of the object and after a mistake.
    bool next_member();
    // The name of the member that next_member() moved to, unescaped.
    std::string_view name() const { return name_; }

    // Each reads the value of the current member into `out`, or keeps a 22P02/22001 mistake that
    // names `column`. They return false after a mistake.
    bool read(Sent<std::string>& out, const Column& column);  // text, email, enum, … by column.type
    bool read(Sent<std::int64_t>& out, const Column& column);
    bool read(Sent<double>& out, const Column& column);
    bool read(Sent<bool>& out, const Column& column);
    bool read(Sent<Decimal>& out, const Column& column);
    bool read(Sent<Money>& out, const Column& column);
    bool read(Sent<Date>& out, const Column& column);
    bool read(Sent<Time>& out, const Column& column);
    bool read(Sent<Timestamp>& out, const Column& column);
    bool read(Sent<JsonText>& out, const Column& column);
    bool read(Sent<Uuid>& out, const Column& column);
    bool read(Sent<KeyText>& out, const Column& column);  // a text or a whole number
    bool read(Sent<Tags>& out, const Column& column);

    // The current member's name is no column that can be sent: keeps 42703. Always false.
    bool unknown();

    struct Mistake {
        std::string code;  // SQLSTATE, or PARAMS_INVALID where the text is not JSON
        std::string message;
        std::string field;  // empty where none is at fault
    };
    bool failed() const { return !mistake_.code.empty(); }
    const Mistake& mistake() const { return mistake_; }

  private:
    friend class JsonScanner;
    std::string_view text_;
    std::size_t at_ = 0;
    bool opened_ = false;
    std::string name_;
    std::vector<std::string> seen_;  // members so far: a second one of the same name is a mistake
    Mistake mistake_;
};

// The decoded body, a value a column in PostgreSQL's text form. Which columns were sent stays
// known.
class Values {
  public:
    explicit Values(std::size_t columns) : slots_(columns) {}

    void set(unsigned column, Sent<std::string>&& value);
    void set(unsigned column, Sent<std::int64_t>&& value);
    void set(unsigned column, Sent<double>&& value);
    void set(unsigned column, Sent<bool>&& value);
    void set(unsigned column, Sent<Decimal>&& value);
    void set(unsigned column, Sent<Money>&& value);
    void set(unsigned column, Sent<Date>&& value);
    void set(unsigned column, Sent<Time>&& value);
    void set(unsigned column, Sent<Timestamp>&& value);
    void set(unsigned column, Sent<JsonText>&& value);
    void set(unsigned column, Sent<Uuid>&& value);
    void set(unsigned column, Sent<KeyText>&& value);
    void set(unsigned column, Sent<Tags>&& value);

    struct Slot {
        Sent<std::string>::State state = Sent<std::string>::absent;
        std::string text;
    };
    const Slot& operator[](unsigned column) const { return slots_[column]; }
    std::size_t size() const { return slots_.size(); }

  private:
    std::vector<Slot> slots_;
};

// A member of a generated struct, whatever its type: so that the struct's members are read by one
// loop of the library, and not by a branch each that is compiled again for every struct.
class Member {
  public:
    template <class T>
    Member(Sent<T>& sent) : sent_(&sent), take_(&take<T>) {}  // NOLINT: a list of members is a list

    // Reads the current member of the body, and hands it on to `values`. False after a mistake.
    bool read(JsonReader& body, const Column& column, Values& values, unsigned index) const {
        return take_(sent_, body, column, values, index);
    }

  private:
    template <class T>
    static bool take(void* sent, JsonReader& body, const Column& column, Values& values,
                     unsigned index);

    void* sent_;
    bool (*take_)(void*, JsonReader&, const Column&, Values&, unsigned);
};

// Reads the whole body into the members, each under the column at its own place, and from there
// into `values`. False after a mistake, which the reader keeps.
bool read_row(JsonReader& body, List<Column> columns, List<Member> members, Values& values);

// Row printers: append `key` (already JSON, with its comma or brace) and the column's value, null
// as null. One per shape that differs in JSON.
using Out = std::string;
void write_text(Out& out, std::string_view key, const Row& row, int column);     // escaped
void write_plain(Out& out, std::string_view key, const Row& row, int column);    // uuid, date, time
void write_number(Out& out, std::string_view key, const Row& row, int column);   // integer, money
void write_decimal(Out& out, std::string_view key, const Row& row, int column);  // NaN as null
void write_boolean(Out& out, std::string_view key, const Row& row, int column);
void write_timestamp(Out& out, std::string_view key, const Row& row, int column);  // …T…Z
void write_json(Out& out, std::string_view key, const Row& row, int column);       // as it is
void write_key(Out& out, std::string_view key, const Row& row, int column);  // as PostgreSQL has it
void write_tags(Out& out, std::string_view key, const Row& row, int column);  // array of text

}  // namespace svc
