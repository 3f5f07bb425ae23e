// Request bodies: one JSON object, whose members are read by the type of the column that each
// names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "svc/entity.hpp"

namespace svc::json {

// A member of a body. Absent and null differ: absent takes the default on create and keeps what is
// there on update.
struct Slot {
    enum State : std::uint8_t { absent, null, given };
    State state = absent;
    std::string text;  // as PostgreSQL takes it: no digit is lost on the way through
};

// One value for each column. It also records which ones were sent.
using Values = std::vector<Slot>;

// Reads one JSON object, a member at a time, strictly after RFC 8259. The first mistake is recorded
// with the code that PostgreSQL would give it; after it every call returns false.
class JsonReader {
  public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    // Moves to the next member. False at the end of the object and after a mistake.
    bool next_member();
    // The name of the member that next_member() moved to, unescaped.
    std::string_view name() const { return name_; }

    // Reads the value of the current member, or keeps a mistake that names `column`.
    // False after a mistake.
    bool read(Slot& out, const Column& column);

    // Records the mistake that the current member's name is not a column that can be sent. Returns
    // false.
    bool unknown();

    struct Mistake {
        std::string sqlstate;  // empty: the text is not a JSON object
        std::string message;
        std::string field;  // empty if none is at fault
    };
    bool failed() const { return failed_; }
    const Mistake& mistake() const { return mistake_; }

  private:
    friend class JsonScanner;
    std::string_view text_;
    std::size_t at_ = 0;
    bool opened_ = false;
    std::string name_;
    std::vector<std::string> seen_;  // members so far: a second one of the same name is a mistake
    Mistake mistake_;
    bool failed_ = false;
};

// Reads the whole body, each member by the column of its name, into the slot at the column's place.
// False after a mistake, which the reader keeps.
bool read_members(JsonReader& body, List<Column> columns, Values& values);

}  // namespace svc::json
