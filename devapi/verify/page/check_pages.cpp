// Every page, as a browser shows it to each caller: it comes, it is for whom it is, and it shows
// nothing that the caller may not read.
#include <algorithm>

#include "verify/app/server.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/page/hidden_texts.hpp"
#include "verify/page/page_visits.hpp"

namespace svc::devapi::verification {
namespace {

constexpr const char* kNotLoaded = "could not be loaded.";  // as pages say of a block

class Pages {
  public:
    Pages(Subject& subject, VerifyCheck& out) : subject_(subject), out_(out) {}

    void run() {
        for (const VerifyCaller& visitor : page_visitors(subject_)) {
            look_as(visitor);
            ++visitors_;
        }
    }

    std::size_t visitors() const { return visitors_; }
    std::size_t pages() const { return subject_.plan.site.pages.size(); }

  private:
    void look_as(const VerifyCaller& visitor) {
        const std::string session = page_session(subject_, visitor);
        HiddenTexts hidden(subject_, visitor);
        for (const PageVisit& one : visits_of(subject_, visitor))
            judge(visitor, one, subject_.server->page(session, one.path), hidden);
    }

    void judge(const VerifyCaller& caller, const PageVisit& sought, const HttpAnswer& answered,
               HiddenTexts& hidden) {
        const std::string what = "The page " + sought.path + ", opened by " + caller.name;
        const std::string answers = what + ", answers " + std::to_string(answered.status);
        constexpr int kKnown[] = {200, 303, 403, 404};
        if (std::ranges::find(kKnown, answered.status) == std::end(kKnown))
            return out_.bad(answers + ".");
        const bool shown = answered.status == 200;
        if (sought.page && shown && !caller.is_any(sought.page->to))
            return out_.bad(answers + "; the contract does not let them open it.");
        // A page about a row may be missing, as the row is.
        const bool plain_route = sought.route.find(':') == std::string::npos;
        const bool refused = answered.status == 403 || (plain_route && !shown);
        if (sought.page && refused && caller.is_any(sought.page->to))
            return out_.bad(answers + ", although the contract lets them open it.");
        // A value of the route may be none that a query takes, and the clone reaches no other
        // database.
        const bool loads = plain_route && std::ranges::all_of(subject_.model.entities, is_table);
        if (loads && answered.body.find(kNotLoaded) != std::string::npos)
            return out_.bad(what + ", cannot load a part of what it shows.");
        if (const auto found = hidden.shown_by(answered.body, sought.path))
            return out_.bad(what + ", shows \"" + found->text + "\" of " + found->where +
                            ", which they may not read.");
        out_.good();
    }

    Subject& subject_;
    VerifyCheck& out_;
    std::size_t visitors_ = 0;
};

}  // namespace

void check_pages(Subject& subject, VerifyCheck& out) {
    if (!subject.server) return not_served(out);
    Pages pages(subject, out);
    pages.run();
    out.said = std::to_string(pages.pages()) + " pages, opened by " +
               std::to_string(pages.visitors()) +
               " callers: each page comes for those who may open it, and shows nothing that they "
               "may not read.";
}

}  // namespace svc::devapi::verification
