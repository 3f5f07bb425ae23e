#include "check/exposure/exposure_words.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace svc::check {
namespace {

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out += i + 1 == words.size() ? " and " : ", ";
        out += words[i];
    }
    return out;
}

bool is_transition(const ExposureChange& change) { return change.operation.act == Act::transition; }

// "read all rows of order", "make the transition place on rows of order where …".
std::string may_do(const ExposureChange& change, bool only) {
    const std::string operation = change.operation.words();
    const bool create = change.operation.act == Act::create;
    const std::string rows =
        change.after == "all rows" && create ? "any rows" : change.after;  // there are none yet
    const auto at = rows.find("rows") + 4;
    return (is_transition(change) ? "make the " + operation : operation) + (only ? " only" : "") +
           (is_transition(change) ? " on " : " ") + rows.substr(0, at) + " of " + change.entity +
           rows.substr(at);
}

std::string about_rows(const ExposureChange& change, const std::string& who) {
    const std::string before = " (before: " + change.before + ").";
    if (change.after == "no rows") {
        const bool move = is_transition(change);
        return who + " may no longer " + (move ? "make the " : "") + change.operation.words() +
               (move ? " of " : " ") + change.entity + before;
    }
    return who + " may now " + may_do(change, change.direction == Direction::narrowed) + before;
}

std::string about_fields(const ExposureChange& change, const std::string& who) {
    const std::string of = " of " + change.entity;
    const bool create = change.operation.act == Act::create;
    const std::string may = create ? "send" : change.operation.words();
    const std::string when = create ? " when creating" : "";
    std::string out;
    const auto add = [&](const std::vector<std::string>& fields, const std::string& begin,
                         const std::string& end) {
        if (fields.empty()) return;
        out +=
            (out.empty() ? who : " " + who) + begin + may + " " + listed(fields) + of + when + end;
    };
    add(change.fields_more, " may now ", " too.");
    add(change.fields_less, " may no longer ", ".");
    add(change.fields_other, " may now ", " on other rows than before.");
    return out;
}

std::string about_seed(const ExposureChange& change, const std::string& who) {
    return who + " is now seeded as " + change.after + " (before: " + change.before + ").";
}

std::string about_factor(const ExposureChange& change, const std::string& who) {
    return who + (change.after == "required" ? " must have" : " may now do without") +
           " a second factor.";
}

std::string about_sign_up(const ExposureChange& change, const std::string& who) {
    const std::string as = " sign up as " + change.entity;
    if (change.after == base::word(Admission::may_not)) {
        return who + " may no longer" + as + " (before: " + change.before + ").";
    }
    return who + " may now" + as +
           (change.after == base::word(Admission::may) ? ""
                                                       : " only by invitation to an organisation") +
           " (before: " + change.before + ").";
}

std::string about_run(const ExposureChange& change, const std::string& who,
                      RunExposure::Kind kind) {
    const std::string what = std::string(base::word(kind)) + " " + change.entity;
    if (change.direction == Direction::changed)
        return who + " may run the " + what + ", whose SQL has changed.";
    return who + (change.after == "may" ? " may now run the " : " may no longer run the ") + what +
           ".";
}

struct Group {
    const ExposureChange* change;
    std::vector<std::string> callers;
};

// Changes of one direction that are the same for several callers, in their order.
std::vector<Group> groups(const ExposureDiff& diff, Direction direction) {
    std::vector<Group> out;
    std::map<std::string, std::size_t> known;  // what is said, but for who
    for (const ExposureChange& change : diff.changes) {
        if (change.direction != direction) continue;
        const auto [at, is_new] = known.emplace(sentence(change, ""), out.size());
        if (is_new) {
            out.push_back({&change, {change.caller}});
        } else {
            out[at->second].callers.push_back(change.caller);
        }
    }
    return out;
}

}  // namespace

std::string sentence(const ExposureChange& change, const std::string& who) {
    switch (change.operation.act) {
        case Act::run_query:
            return about_run(change, who, RunExposure::Kind::query);
        case Act::run_function:
            return about_run(change, who, RunExposure::Kind::function);
        case Act::sign_up:
            return about_sign_up(change, who);
        case Act::second_factor:
            return about_factor(change, who);
        case Act::seed:
            return about_seed(change, who);
        case Act::read:
        case Act::create:
        case Act::update:
        case Act::remove:
        case Act::transition:
            break;
    }
    std::string out = change.before == change.after ? "" : about_rows(change, who);
    const std::string fields = about_fields(change, who);
    return out.empty() || fields.empty() ? out + fields : out + " " + fields;
}

std::vector<std::string> sentences(const ExposureDiff& diff) {
    std::vector<std::string> out;
    for (const auto direction : {Direction::widened, Direction::changed, Direction::narrowed}) {
        for (const auto& [change, callers] : groups(diff, direction)) {
            out.push_back(std::string(base::word(direction)) + ": " +
                          sentence(*change, listed(callers)));
        }
    }
    return out;
}

std::string json_text(const ExposureDiff& diff) {
    using nlohmann::ordered_json;
    ordered_json changes = ordered_json::array();
    for (const ExposureChange& change : diff.changes) {
        ordered_json one = {{"persona", change.caller},
                            {"entity", change.entity},
                            {"operation", change.operation.words()},
                            {"kind", base::word(change.direction)},
                            {"before", change.before},
                            {"after", change.after}};
        const auto add = [&one](const char* key, const std::vector<std::string>& fields) {
            if (!fields.empty()) one[key] = fields;
        };
        add("fieldsMore", change.fields_more);
        add("fieldsLess", change.fields_less);
        add("fieldsOther", change.fields_other);
        one["message"] = change.message;
        changes.push_back(std::move(one));
    }
    return ordered_json{{"changes", std::move(changes)},
                        {"widened", diff.count(Direction::widened)},
                        {"narrowed", diff.count(Direction::narrowed)},
                        {"changed", diff.count(Direction::changed)},
                        {"summary", sentences(diff)}}
        .dump();
}

}  // namespace svc::check
