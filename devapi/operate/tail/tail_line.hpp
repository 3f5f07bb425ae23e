// Entries of a tail, and where a reader of one stands. A place is handed out as the id of an event:
// "<kind>~<database or file>~<position>". A forged place harms only its forger, because readers of
// a tail may read all of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "feed/cursor.hpp"

namespace svc::devapi {

struct TailLine {
    std::string text;   // one JSON object
    std::string place;  // to go on after it; empty: what is read at once has only one, at its end
};
using TailLines = std::vector<TailLine>;

struct TailPlace {
    std::string source;    // of what: a database, a log
    std::string position;  // in it
};

std::string tail_place(std::string_view kind, const TailPlace& place);
// None if the id does not come from a tail of this kind.
std::optional<TailPlace> read_tail_place(std::string_view kind, std::string_view id);

// SQL for the source of a place: a restored database is made anew, under another name or its own.
inline constexpr const char* kTailSource =
    "left(encode(sha256(convert_to(concat_ws('.', current_database(), "
    "'svc'::regnamespace::oid), 'UTF8')), 'hex'), 24)";

// A source of one kind of entries. Each call may throw pqxx::failure.
class TailSource {
  public:
    virtual ~TailSource() = default;
    // The existing entries in order of time, at most the newest `limit`.
    virtual TailLines first(std::size_t limit) = 0;
    // The entries since the last call, without gaps and without repetitions.
    virtual TailLines next() = 0;
    virtual std::string place() const = 0;
    // Why entries before the next lines may be missing; none: they are complete. The call clears
    // it.
    feed::Reset take_reset() { return std::exchange(reset_, feed::Reset::none); }

  protected:
    feed::Reset reset_ = feed::Reset::none;
};

}  // namespace svc::devapi
