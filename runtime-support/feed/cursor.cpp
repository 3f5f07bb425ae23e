#include "feed/cursor.hpp"

#include "base/base64url.hpp"
#include "base/sha256.hpp"

namespace svc::feed {
namespace {

constexpr char kBeforeMark = '~';
constexpr char kBehindEpoch = ' ';
constexpr std::size_t kMarkBytes = 9;

}  // namespace

std::string_view word_of(Reset reset) {
    switch (reset) {
        case Reset::cursor_too_old:
            return "cursor_too_old";
        case Reset::rights_changed:
            return "rights_changed";
        case Reset::restored:
            return "restored";
        case Reset::none:
            break;
    }
    return {};
}

std::string mark_of(const Caller& caller, std::string_view visibility) {
    std::string text(visibility);
    const auto add = [&text](std::string_view part) { text.append(1, '\n').append(part); };
    add(caller.names);
    add(caller.claims);
    if (caller.user) add(caller.user->id);
    const base::Digest digest = base::sha256(text);
    return kBeforeMark + base::base64url(base::bytes_of(digest).substr(0, kMarkBytes));
}

std::string CursorSealer::seal(std::string_view cursor) const {
    return sealer_.seal(epoch_ + kBehindEpoch + std::string(cursor));
}

// An id that was sealed with another secret, or that no server of this app made, does not say
// where its reader was.
CursorSealer::Opened CursorSealer::open(std::string_view id, std::string_view mark) const {
    const std::size_t end = id.rfind(kBeforeMark);
    const auto text = sealer_.unseal(id.substr(0, end));
    if (!text) return {{}, Reset::cursor_too_old};
    const std::size_t blank = text->find(kBehindEpoch);
    if (text->substr(0, blank) != epoch_) return {{}, Reset::restored};
    if (end == id.npos || id.substr(end) != mark) return {{}, Reset::rights_changed};
    return {text->substr(blank + 1), Reset::none};
}

}  // namespace svc::feed
