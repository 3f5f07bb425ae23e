// Links that lead to the page of a row, and fill in something else than its id.
#include <algorithm>

#include "model/names.hpp"
#include "model/page/block_reader.hpp"
#include "model/page/routes.hpp"

namespace svc::model {
namespace {

using PartKind = PageTextPart::Kind;

std::string written(const PageTextPart& part) {
    switch (part.kind) {
        case PartKind::text:
            return part.text;
        case PartKind::user:
            return "{user." + part.text + "}";
        case PartKind::route:
            return "{route." + part.text + "}";
        case PartKind::row:
            break;
    }
    return "{" + part.text + "}";
}

std::string written(const PageText& text) {
    std::string out;
    for (const PageTextPart& part : text) out += written(part);
    return out;
}

// Pieces between slashes, up to a query or a place in the page.
std::vector<std::string> path_pieces(const std::string& address) {
    std::vector<std::string> out;
    const std::string path = address.substr(0, address.find_first_of("?#"));
    for (std::size_t at = 1; at <= path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        out.push_back(path.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

// The entity whose row a page shows by this parameter of its route.
const Block* row_block(const Page& page, const std::string& param) {
    const auto at = std::find_if(page.body.begin(), page.body.end(), [&](const Block& block) {
        return block.entity && block.id.size() == 1 && block.id[0].kind == PartKind::route &&
               block.id[0].text == param;
    });
    return at == page.body.end() ? nullptr : &*at;
}

class RowLinks {
  public:
    RowLinks(Work work, const Block& from) : work_(work), from_(from) {}

    void check(const PageText& link, const char* key) const {
        const std::string address = written(link);
        if (!address.starts_with('/')) return;
        const std::vector<std::string> given = path_pieces(address);
        for (const Page& page : work_.out.pages) {
            if (!leads_to(address, page.route)) continue;
            const std::vector<std::string> wanted = path_pieces(page.route);
            // A page without parameters here counts before this one.
            if (std::any_of(work_.out.pages.begin(), work_.out.pages.end(),
                            [&](const Page& other) { return other.route == address; }))
                return;
            for (std::size_t i = 0; i < wanted.size() && i < given.size(); ++i)
                if (wanted[i].starts_with(':'))
                    piece(page, wanted[i].substr(1), given[i], link, key);
        }
    }

  private:
    void piece(const Page& page, const std::string& param, const std::string& given,
               const PageText& link, const char* key) const {
        const Block* shown = row_block(page, param);
        if (shown == nullptr || work_.out.entities[*shown->entity].external) return;
        const auto placeholder =
            std::find_if(link.begin(), link.end(), [&](const PageTextPart& part) {
                return part.kind != PartKind::text && written(part) == given;
            });
        if (placeholder == link.end() || can_be_id(*placeholder, *shown->entity)) return;
        const std::string& entity = work_.out.entities[*shown->entity].name;
        work_.findings.error(
            "BAD_BLOCK", contract::child(from_.path, key),
            "\"" + given + "\" is no id, and the page \"" + page.route + "\" shows the row of \"" +
                entity + "\" whose id stands there.",
            from_.entity == shown->entity ? "write \"{id}\"" : "name a ref to \"" + entity + "\"");
    }

    bool can_be_id(const PageTextPart& part, std::size_t target) const {
        if (part.kind == PartKind::route) return true;  // a page's own parameter may be an id
        if (part.kind == PartKind::user) return false;
        if (from_.query || !from_.entity) return true;  // of its columns nothing is known
        if (!part.column.builtin.empty())
            return part.column.builtin == "id" && *from_.entity == target;
        const Field& field = work_.out.entities[*from_.entity].fields[part.column.field];
        return field.type == FieldType::ref ? field.ref_entity == target
                                            : field.type == FieldType::uuid;
    }

    Work work_;
    const Block& from_;
};

}  // namespace

void check_row_links(Work work) {
    if (work.findings.doubts("/pages")) return;
    for (const Page& page : work.out.pages) {
        for (const Block& block : page.body) {
            const RowLinks links(work, block);
            links.check(block.link, "link");
            links.check(block.then, "then");
        }
    }
}

}  // namespace svc::model
