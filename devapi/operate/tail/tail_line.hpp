// Entries of a tail, and where a reader of one stands. A place is handed out as the id of an
// event: "<kind>~<database or file>~<position>". Forged, it harms its forger alone: who reads a
// tail may read all of it.
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
// None: no tail of this kind gave such an id.
std::optional<TailPlace> read_tail_place(std::string_view kind, std::string_view id);

// SQL for the source of a place: a restored database is made anew, under another name or its own.
inline constexpr const char* kTailSource =
    "left(encode(sha256(convert_to(concat_ws('.', current_database(), "
    "'svc'::regnamespace::oid), 'UTF8')), 'hex'), 24)";

// One kind of what is followed. Each call may throw pqxx::failure.
class TailSource {
  public:
    virtual ~TailSource() = default;
    // What is there already, in the order of time; at most the newest `limit`.
    virtual TailLines first(std::size_t limit) = 0;
    // What came since the last call: none is left out and none comes twice.
    virtual TailLines next() = 0;
    virtual std::string place() const = 0;
    // Why what came before the next lines is not known to be complete; none: it is. Asking
    // forgets it.
    feed::Reset take_reset() { return std::exchange(reset_, feed::Reset::none); }

  protected:
    feed::Reset reset_ = feed::Reset::none;
};

}  // namespace svc::devapi
