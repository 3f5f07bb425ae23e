#include "operate/tail/log_tail.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/base64url.hpp"
#include "base/number.hpp"
#include "base/sha256.hpp"
#include "base/time/utc.hpp"
#include "common/server_log.hpp"

namespace svc::devapi {
namespace {

using OrderedJson = nlohmann::ordered_json;
using feed::Reset;

constexpr std::uint64_t kMostLog = 4 << 20;  // bytes of a log that are read

// The JSON of an error or a warning; empty: the line is neither. Takes only the server's own log
// lines: the output of a crashing process has no time.
std::string error_entry(const std::string& line, const std::string& since) {
    OrderedJson entry = OrderedJson::parse(line, nullptr, false);
    if (!entry.is_object()) return {};
    const std::string level = entry.value("level", ""), at = entry.value("at", "");
    if ((level != "error" && level != "warning") || at < since) return {};
    OrderedJson object = {{"at", at}, {"kind", "error"}, {"level", level}};
    for (const auto& [name, value] : entry.items())
        if (!object.contains(name)) object[name] = value;
    return object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// The last bytes before `offset`. They differ if the log was trimmed since.
std::string mark_of(const std::string& path, std::uint64_t offset) {
    constexpr std::uint64_t kMarked = 128;
    const std::uint64_t size = std::min(offset, kMarked);
    std::string before(size, '\0');
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(offset - size));
    file.read(before.data(), static_cast<std::streamsize>(size));
    before.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    constexpr std::size_t kBytes = 9;
    const base::Digest digest = base::sha256(before);
    return base::base64url(base::bytes_of(digest).substr(0, kBytes));
}

std::string error_place(const std::string& path, std::uint64_t offset) {
    return tail_place("errors", {mark_of(path, offset), std::to_string(offset)});
}

// Whole lines from `offset` on, which is moved past them.
TailLines errors_from(const std::string& path, std::uint64_t& offset, std::int64_t since) {
    const std::uint64_t size = log_size(path);
    if (offset > size) offset = 0;  // trimmed since
    if (size - offset > kMostLog) offset = size - kMostLog;
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(offset));
    const std::string text(std::istreambuf_iterator<char>(file), {});
    TailLines out;
    const std::string from = base::utc_millis(since);
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos;
         at = end + 1) {
        offset += end + 1 - at;
        std::string line = error_entry(text.substr(at, end - at), from);
        if (!line.empty()) out.push_back({std::move(line), error_place(path, offset)});
    }
    return out;
}

}  // namespace

ErrorTail::ErrorTail(std::string log, std::int64_t since) : log_(std::move(log)), since_(since) {}

ErrorTail::ErrorTail(std::string log, const TailPlace& after)
    : log_(std::move(log)), offset_(base::number_of<std::uint64_t>(after.position)) {
    if (offset_ <= log_size(log_) && mark_of(log_, offset_) == after.source) return;
    reset_ = Reset::cursor_too_old;
    offset_ = 0;
}

TailLines ErrorTail::first(std::size_t limit) {
    std::uint64_t before = 0;
    TailLines out = errors_from(log_ + ".1", before, since_);
    TailLines now = errors_from(log_, offset_, since_);
    for (TailLine& line : out) line.place = error_place(log_, 0);
    std::ranges::move(now, std::back_inserter(out));
    if (out.size() > limit) out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>(limit));
    return out;
}

TailLines ErrorTail::next() { return errors_from(log_, offset_, since_); }

std::string ErrorTail::place() const { return error_place(log_, offset_); }

}  // namespace svc::devapi
