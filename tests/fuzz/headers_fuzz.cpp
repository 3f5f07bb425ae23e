// Any text as a header of the routes of files: ranges, types, and those of resumable uploads.
#include "base/crypto.hpp"
#include "base/sha256.hpp"
#include "file/kind/mime.hpp"
#include "file/numbers.hpp"
#include "file/range.hpp"
#include "file/tus/checksum.hpp"
#include "file/tus/upload_metadata.hpp"
#include "fuzz.hpp"
#include "outgoing/retry_after.hpp"

namespace {

using svc::file::Range;
using svc::fuzz::demand;

void check_range(std::string_view header, std::uint64_t size) {
    const Range range = svc::file::range_of(header, size);
    demand(range.from <= size && range.length <= size - range.from, "a range is of the file");
    if (range.kind == Range::Kind::whole)
        demand(range.from == 0 && range.length == size, "the whole is the whole");
    if (range.kind == Range::Kind::part) demand(range.length > 0, "a part has bytes");
    if (range.kind == Range::Kind::outside) demand(range.length == 0, "what is outside has none");
}

// A range that is sound gives exactly what it says.
void check_sound_range(std::uint64_t size, std::uint64_t first, std::uint64_t last) {
    if (first > last) std::swap(first, last);
    const std::string header = "bytes=" + std::to_string(first) + "-" + std::to_string(last);
    const Range range = svc::file::range_of(header, size);
    demand((range.kind == Range::Kind::outside) == (first >= size), "it begins in the file or not");
    if (first >= size) return;
    demand(range.from == first, "it begins where it says");
    demand(range.length == (last < size ? last + 1 : size) - first, "it ends where it says");
}

void check_metadata(std::string_view line, std::string_view value) {
    svc::file::upload_metadata(line, "filename");
    const std::string own = "filetype dGV4dA==, filename " + svc::base::base64(value) + ",x,y";
    demand(svc::file::upload_metadata(own, "filename") == value, "what was encoded comes back");
    demand(svc::file::upload_metadata(own, "filetype") == "text", "whatever stands beside it");
    demand(svc::file::upload_metadata(own, "x").empty(), "a name alone has no value");
}

void check_kept(std::string_view line) {
    const std::string kept = svc::file::kept_metadata(line);
    demand(kept.empty() || kept == line, "metadata is kept as it came, or not at all");
    for (const char c : kept) demand(c >= ' ' && c <= '~', "what is kept can be a header");
}

void check_number(std::string_view text) {
    const auto number = svc::file::whole(text);
    if (!number) return;
    const std::string digits = std::to_string(*number);
    demand(text.ends_with(digits), "a number is what its digits say");
    demand(text.substr(0, text.size() - digits.size()).find_first_not_of('0') ==
               std::string_view::npos,
           "with zeros in front of it");
}

void check_checksum(std::string_view header, std::string_view bytes) {
    if (auto any = svc::file::Checksum::read(header)) {
        any->add(bytes);
        any->matches();
    }
    const svc::base::Digest digest = svc::base::sha256(bytes);
    auto own =
        svc::file::Checksum::read("sha256 " + svc::base::base64(svc::base::bytes_of(digest)));
    demand(own.has_value(), "a checksum can be read");
    own->add(bytes.substr(0, bytes.size() / 2));
    own->add(bytes.substr(bytes.size() / 2));
    demand(own->matches(), "and is that of its bytes, however they come");
}

void check_type(std::string_view text) {
    const std::string type = svc::file::normal_type(text);
    for (const char c : type) demand(c > 0x20 && c < 0x7F && c != ';', "a type is tokens");
    demand(svc::file::normal_type(type) == type, "a normal type stays as it is");
    const svc::file::Served served = svc::file::served_as(type);
    demand(served.content_type.find_first_of("\r\n") == std::string::npos, "one line");
    const bool markup = type.starts_with("text/") || type.ends_with("+xml") ||
                        type.ends_with("/xml") || type.ends_with("script");
    demand(!markup || !served.is_inline, "no markup is shown");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    svc::fuzz::Input input(bytes, size);
    const std::uint64_t length = input.number(), first = input.number(), last = input.number();
    const std::string_view line = input.line(), text = input.rest();
    check_range(line, length);
    check_range(text, length % 1000);
    check_sound_range(length, first, last);
    check_metadata(line, text);
    check_kept(line);
    check_number(line);
    check_checksum(line, text);
    check_type(line);
    check_type(text);
    const auto wait = svc::outgoing::retry_after(text, static_cast<std::time_t>(first >> 24U));
    demand(!wait || (*wait >= 0 && *wait <= 86400), "nobody waits for longer than a day");
    return 0;
}
