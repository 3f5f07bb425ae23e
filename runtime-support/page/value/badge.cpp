#include "page/value/badge.hpp"

#include <algorithm>

#include "page/value/value.hpp"

namespace svc::page {
namespace {

enum class Tone { grey, green, amber, red, blue };

Tone tone_of(std::string_view word) {
    constexpr std::string_view kGood[] = {"done",      "paid",     "shipped",  "active",
                                          "confirmed", "approved", "complete", "completed",
                                          "delivered", "open",     "accepted", "published"};
    constexpr std::string_view kBad[] = {"cancelled", "canceled", "rejected", "failed",  "missed",
                                         "overdue",   "blocked",  "refused",  "expired", "lost"};
    constexpr std::string_view kWaiting[] = {"pending", "requested",  "waiting", "review",
                                             "on_hold", "processing", "urgent",  "high"};
    constexpr std::string_view kPlain[] = {"draft",    "new", "closed", "archived",
                                           "inactive", "low", "void"};
    const auto among = [word](const auto& words) {
        return std::ranges::find(words, word) != std::end(words);
    };
    if (among(kGood)) return Tone::green;
    if (among(kBad)) return Tone::red;
    if (among(kWaiting)) return Tone::amber;
    return among(kPlain) ? Tone::grey : Tone::blue;
}

std::string_view name_of_tone(Tone tone) {
    constexpr std::string_view kNames[] = {"grey", "green", "amber", "red", "blue"};
    return kNames[static_cast<unsigned>(tone)];
}

}  // namespace

bool is_bad_end(std::string_view state) { return tone_of(state) == Tone::red || state == "void"; }

void show_badge(Html& out, std::string_view value, std::string_view label, bool leads_on) {
    const Tone known = tone_of(value);
    const Tone tone = known == Tone::blue && !leads_on ? Tone::grey : known;
    out << "<span class=\"badge " << name_of_tone(tone) << "\">" << shortened(label, kCell)
        << "</span>";
}

}  // namespace svc::page
