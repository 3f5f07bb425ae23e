// The position of a reader of feeds in the order of changes. It is sealed, because it contains
// numbers of transactions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "identity/caller.hpp"
#include "identity/secret/sealer.hpp"

namespace svc::feed {

// A cursor of svc.feed_since, shared by all readers at this position.
using Cursor = std::shared_ptr<const std::string>;
inline Cursor make_cursor(std::string cursor) {
    return std::make_shared<const std::string>(std::move(cursor));
}

// The reset that a reader gets before the events after its cursor, if any.
enum class Reset : std::uint8_t { none, cursor_too_old, rights_changed, restored };
std::string_view word_of(Reset reset);  // as clients read it

// Follows a sealed cursor: it identifies the reader and the rules (App::visibility). A reader who
// returns as another caller has missed what that caller may see. A forged mark harms only its
// forger.
std::string mark_of(const Caller& caller, std::string_view visibility);

class CursorSealer {
  public:
    explicit CursorSealer(std::string_view secret) : sealer_(secret, "feed") {}

    // Sets the id of the database, which changes with a restore. Call it once, before the first
    // cursor is handed out.
    void set_epoch(std::string epoch) { epoch_ = std::move(epoch); }
    bool has_epoch() const { return !epoch_.empty(); }
    const std::string& epoch() const { return epoch_; }

    // An id without its mark, which follows it: "<sealed>~<mark>".
    std::string seal(std::string_view cursor) const;

    struct Opened {
        std::string cursor;  // empty if `reset` says that the cursor is useless
        Reset reset = Reset::none;
    };
    // `mark`: that of the caller who sends the id.
    Opened open(std::string_view id, std::string_view mark) const;

  private:
    const identity::Sealer sealer_;
    std::string epoch_;
};

}  // namespace svc::feed
