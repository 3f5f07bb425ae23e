// Opens every page of the clone in a browser, as each persona: no script fails, no request to the
// app's own host fails, and axe finds nothing.
#include <algorithm>
#include <chrono>
#include <set>

#include "base/sha256.hpp"
#include "build/marks.hpp"
#include "gates/script.hpp"
#include "verify/app/door.hpp"
#include "verify/app/server.hpp"
#include "verify/clone/fixtures.hpp"
#include "verify/page/inspection.hpp"
#include "verify/page/inspection_words.hpp"
#include "verify/page/page_shape.hpp"
#include "verify/page/page_visits.hpp"

namespace svc::devapi::verification {
namespace {

constexpr std::size_t kMostNamed = 20;  // pages that were not reached

// What the API answers a component may depend on a role and on any part of the contract. Of all
// else that visitors of a persona see, the shape of the page tells.
std::string of_components(const Subject& subject, const VerifyCaller& visitor) {
    return (visitor.is_admin ? "admin " : "") + visitor.org_role + " " + subject.record.hash;
}

class BrowserCheck {
  public:
    BrowserCheck(Subject& subject, VerifyCheck& out)
        : subject_(subject),
          out_(out),
          marks_(subject.services.config.build.cache + "/inspected"),
          program_(gates::scripts_hash()) {}

    void run() {
        for (const VerifyCaller& visitor : page_visitors(subject_)) seek_as(visitor);
        open();
        for (const Inspection& one : wanted_) judge(one);
        marks_.add(passed_);
        say();
    }

  private:
    void seek_as(const VerifyCaller& visitor) {
        const std::string session = page_session(subject_, visitor);
        for (const PageVisit& one : visits_of(subject_, visitor)) {
            const HttpAnswer answered = subject_.server->page(session, one.path);
            if (answered.status != 200) continue;
            Inspection next{one.route, one.path, visitor.name, session, {}, {}, {}};
            next.key = key(visitor, answered.body);
            if (!sought_.insert(next.key).second) continue;
            if (marks_.has(next.key)) {
                ++unchanged_;
                out_.good();
            } else {
                wanted_.push_back(std::move(next));
            }
        }
    }

    void open() {
        if (wanted_.empty()) return;
        const std::string all = std::to_string(wanted_.size());
        tell("opening " + all + " pages in Chromium");
        const Door door(*subject_.server);
        const auto start = std::chrono::steady_clock::now();
        open_in_browser(subject_.browser, door.port(), wanted_,
                        {subject_.options.page_time, [this] { return awaited(); },
                         [&](std::size_t done) {
                             tell(std::to_string(done) + " of " + all + " pages opened");
                         }});
        took_ = std::chrono::steady_clock::now() - start;
    }

    bool awaited() const { return !subject_.options.awaited || subject_.options.awaited(); }

    void tell(const std::string& words) const {
        if (subject_.options.progress) subject_.options.progress("browser", words);
    }

    std::string key(const VerifyCaller& visitor, const std::string& html) const {
        const std::string persona = visitor.guest ? "guest" : visitor.persona;
        const bool scripted = html.find(" data-component=") != html.npos;
        std::string text;
        for (const std::string& part : {program_, persona, page_shape(html),
                                        scripted ? of_components(subject_, visitor) : ""})
            build::add_part(text, part);
        for (const int width : kInspectedWidths) build::add_part(text, std::to_string(width));
        return base::sha256_hex(text);
    }

    void judge(const Inspection& one) {
        if (one.answer.is_null()) {
            miss(one);
            if (trouble_.empty()) trouble_ = one.trouble;
            return;
        }
        if (one.is_late()) {
            miss(one);
            out_.warnings.push_back("The page " + one.path + " did not come to rest, as " +
                                    one.visitor +
                                    ": the machine is busy, or a script of it never ends. So "
                                    "this verification did not open it as others.");
            return;
        }
        ++opened_;
        const auto findings = findings_of(one, reaches_all_);
        for (const std::string& finding : findings) {
            out_.bad(finding);
            out_.findings.push_back(finding);
        }
        if (!findings.empty()) return;
        out_.good();
        passed_.push_back(one.key);
    }

    void miss(const Inspection& one) {
        ++missed_;
        if (missed_ <= kMostNamed)
            named_ += (missed_ == 1 ? "" : "; ") + one.path + " as " + one.visitor;
    }

    void say() {
        if (opened_ == 0 && !trouble_.empty())
            return not_run(out_, "Pages were not opened in a browser. " + trouble_);
        const auto text = [](std::size_t number) { return std::to_string(number); };
        out_.said = "Pages as each persona sees them, at 1280 and 390 px, light and dark: " +
                    text(opened_) + " opened in a browser, " + text(unchanged_) +
                    " passed over, since they have passed and are unchanged, " + text(missed_) +
                    " not reached.";
        if (missed_ == 0) return;
        out_.rest = text(opened_ + unchanged_) + " of " + text(opened_ + unchanged_ + missed_) +
                    " pages opened; " + text(missed_) + " not reached: run svc verify to open all.";
        out_.warnings.push_back(text(missed_) + " pages were not reached: " + named_ +
                                (missed_ > kMostNamed ? "; and more" : "") + ". " + why_missed() +
                                " The next verification goes on with them." +
                                (trouble_.empty() ? "" : " The first: " + trouble_));
    }

    // Why the browser stopped before all pages were opened.
    std::string why_missed() const {
        const auto seconds = [](auto time) {
            return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count());
        };
        if (took_ >= subject_.options.page_time)
            return "The " + seconds(subject_.options.page_time) + " seconds for pages were over.";
        if (!awaited()) return "Nobody waited for this verification any more.";
        const std::string after = " after " + seconds(took_) + " seconds.";
        return trouble_.empty() ? "A page that does not come to rest is not opened as others; the "
                                  "rest was done" +
                                      after
                                : "The browser did not show them, and was done" + after;
    }

    Subject& subject_;
    VerifyCheck& out_;
    const build::Marks marks_;
    const std::string program_;  // hash of the scripts that open and judge pages
    // The clone reaches no other database.
    const bool reaches_all_ = std::ranges::all_of(subject_.model.entities, is_table);
    std::set<std::string> sought_;
    std::vector<Inspection> wanted_;
    std::vector<std::string> passed_;
    std::size_t opened_ = 0, unchanged_ = 0, missed_ = 0;
    std::chrono::steady_clock::duration took_{};
    std::string trouble_, named_;  // why the first was not shown; those that were not reached
};

}  // namespace

void check_browser(Subject& subject, VerifyCheck& out) {
    if (!subject.server) return not_served(out);
    if (const std::string lack = subject.browser.missing(); !lack.empty())
        return not_run(out, "Pages were not opened in a browser. " + lack);
    BrowserCheck(subject, out).run();
}

}  // namespace svc::devapi::verification
