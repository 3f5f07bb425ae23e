#include "query/read/edited.hpp"

#include <algorithm>

namespace svc::query {

Edited::Edited(std::string_view source, std::vector<Edit> edits) {
    std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.at < b.at; });
    std::size_t at = 0;
    const auto copy_until = [&](std::size_t end) {
        pieces_.push_back({text_.size(), at, true});
        text_ += source.substr(at, end - at);
        at = end;
    };
    for (const Edit& edit : edits) {
        copy_until(edit.at);
        pieces_.push_back({text_.size(), at, false});
        text_ += edit.text;
        at += edit.length;
    }
    copy_until(source.size());
}

std::size_t Edited::to_source(std::size_t offset) const {
    const auto after =
        std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                         [](std::size_t at, const Piece& piece) { return at < piece.from; });
    if (after == pieces_.begin()) return offset;
    const Piece& piece = *std::prev(after);
    return piece.copied ? piece.source + (offset - piece.from) : piece.source;
}

}  // namespace svc::query
