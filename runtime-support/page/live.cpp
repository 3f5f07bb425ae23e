#include "page/live.hpp"

#include <algorithm>
#include <vector>

namespace svc::page {
namespace {

bool shows_rows(const Block& block) {
    constexpr Block::Kind kKinds[] = {Block::list,   Block::table,  Block::grid, Block::board,
                                      Block::detail, Block::metric, Block::chart};
    return std::ranges::find(kKinds, block.kind) != std::end(kKinds);
}

}  // namespace

std::string live_tables(const Visit& visit) {
    std::string out;
    std::vector<const Entity*> known;
    for (const Block& block : visit.page->body) {
        const Entity* entity = block.entity;
        if (!entity || entity->external || !shows_rows(block) || !visit.sees(block.to)) continue;
        if (!entity->access.reads(visit.caller.principals)) continue;
        if (std::ranges::find(known, entity) != known.end()) continue;
        known.push_back(entity);
        out.append(out.empty() ? "" : " ").append(entity->name);
    }
    return out;
}

}  // namespace svc::page
