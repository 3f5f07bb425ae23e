#include "base/time/zone.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <string>

#include "base/read_file.hpp"
#include "base/time/time_zone.hpp"

namespace svc::base {
namespace {

constexpr std::size_t kHeader = 44, kType = 6;

// A number of `size` bytes, the greatest first, as two's complement.
std::int64_t big_endian(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t out = (static_cast<unsigned char>(bytes[at]) & 0x80U) != 0 ? ~0ULL : 0;
    for (std::size_t i = 0; i < size; ++i)
        out = (out << 8U) | static_cast<unsigned char>(bytes[at + i]);
    return static_cast<std::int64_t>(out);
}

// One of the two parts of a file: the number of entries of each kind.
struct ZonePart {
    std::size_t utc = 0, standard = 0, leaps = 0, changes = 0, types = 0, letters = 0;
    std::size_t width = 0;  // of an instant

    std::size_t size() const {
        return changes * (width + 1) + types * kType + letters + leaps * (width + 4) + standard +
               utc;
    }
};

// False if it is not such a part, or the text ends before it does.
bool read_part(std::string_view text, std::size_t width, ZonePart& out) {
    if (text.size() < kHeader || !text.starts_with("TZif")) return false;
    std::array<std::size_t*, 6> counts = {&out.utc,     &out.standard, &out.leaps,
                                          &out.changes, &out.types,    &out.letters};
    std::size_t at = 20;
    for (std::size_t* count : counts) {
        const std::int64_t number = big_endian(text, at, 4);
        if (number < 0) return false;
        *count = static_cast<std::size_t>(number);
        at += 4;
    }
    out.width = width;
    return out.types > 0 && text.size() >= kHeader + out.size();
}

// The part whose instants have 64 bits, which is the second; empty if there is none.
std::string_view wide_part(std::string_view file, ZonePart& part) {
    ZonePart narrow;
    if (!read_part(file, 4, narrow) || file[4] < '2') return {};
    file.remove_prefix(kHeader + narrow.size());
    return read_part(file, 8, part) ? file : std::string_view();
}

int year_of(std::int64_t local) {
    const std::chrono::sys_seconds time{std::chrono::seconds(local)};
    const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(time));
    return static_cast<int>(day.year());
}

}  // namespace

std::shared_ptr<const Zone> Zone::load(std::string_view name, std::string_view database) {
    if (!is_time_zone(name)) return nullptr;
    return read(read_file(std::string(database) + std::string(name)).value_or(""));
}

std::shared_ptr<const Zone> Zone::read(std::string_view file) {
    ZonePart part;
    const std::string_view text = wide_part(file, part);
    if (text.empty()) return nullptr;
    const std::size_t types = kHeader + part.changes * (part.width + 1);
    const auto offset_of = [&](std::size_t type) {
        return static_cast<std::int32_t>(big_endian(text, types + type * kType, 4));
    };
    auto zone = std::make_shared<Zone>();
    zone->first_ = offset_of(0);
    for (std::size_t i = 0; i < part.changes; ++i) {
        const auto type = static_cast<unsigned char>(text[kHeader + part.changes * part.width + i]);
        if (type >= part.types) return nullptr;
        zone->changes_.push_back(
            {big_endian(text, kHeader + i * part.width, part.width), offset_of(type)});
    }
    std::string_view rule = text.substr(kHeader + part.size());
    if (rule.size() > 2) zone->rule_ = ZoneRule::read(rule.substr(1, rule.size() - 2));
    return zone;
}

ZoneSpan Zone::span(std::int64_t instant) const {
    const auto later = std::ranges::upper_bound(changes_, instant, {}, &Change::at);
    if (later == changes_.end() && rule_) return by_rule(instant);
    ZoneSpan out;
    out.offset = first_;
    if (later != changes_.end()) out.end = later->at;
    if (later != changes_.begin()) {
        out.begin = std::prev(later)->at;
        out.offset = std::prev(later)->offset;
    }
    return out;
}

// The changes of three years surround every instant of the middle one.
ZoneSpan Zone::by_rule(std::int64_t instant) const {
    ZoneSpan out;
    out.offset = rule_->standard;
    if (rule_->summer) {
        const auto& summer = *rule_->summer;
        const int year = year_of(instant);
        std::array<Change, 6> changes{};
        for (int i = 0; i < 3; ++i) {
            const auto at = static_cast<std::size_t>(i) * 2;
            changes[at] = {summer.begins.in(year + i - 1) - rule_->standard, summer.offset};
            changes[at + 1] = {summer.ends.in(year + i - 1) - summer.offset, rule_->standard};
        }
        std::ranges::sort(changes, {}, &Change::at);
        const auto later = std::ranges::upper_bound(changes, instant, {}, &Change::at);
        out = {std::prev(later)->at, later->at, std::prev(later)->offset};
    }
    if (!changes_.empty()) out.begin = std::max(out.begin, changes_.back().at);
    return out;
}

}  // namespace svc::base
