#include "sql/unfolded.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "sql/library.hpp"

namespace svc::sql {
namespace {

// The lexer's answer in the wire format of protocol buffers: field 2 is a token, whose fields 1 and
// 2 are where it begins and ends. Source: pg_query.proto, the encoding of protocol buffers.
class Wire {
  public:
    explicit Wire(std::string_view bytes) : bytes_(bytes) {}

    bool next() {
        if (at_ >= bytes_.size()) return false;
        const std::uint64_t key = number();
        field = key >> 3;
        part = {};
        value = 0;
        if ((key & 7) == 2) {
            const auto length = static_cast<std::size_t>(number());
            part = bytes_.substr(std::min(at_, bytes_.size()), length);
            at_ += length;
        } else {
            value = number();  // the lexer's answer has no other kinds
        }
        return true;
    }

    std::uint64_t field = 0, value = 0;
    std::string_view part;

  private:
    std::uint64_t number() {
        std::uint64_t out = 0;
        for (unsigned shift = 0; at_ < bytes_.size() && shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            out |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) break;
        }
        return out;
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
};

// Each token that is one character: parentheses, commas, =.
std::string marks_of(std::string_view answer, std::string_view sql) {
    std::string out;
    for (Wire all(answer); all.next();) {
        if (all.field != 2) continue;
        std::size_t begin = 0, end = 0;
        for (Wire token(all.part); token.next();) {
            if (token.field == 1) begin = static_cast<std::size_t>(token.value);
            if (token.field == 2) end = static_cast<std::size_t>(token.value);
        }
        out += end == begin + 1 && begin < sql.size() ? sql[begin] : ' ';
    }
    return out;
}

// The widest list before an `=` at each depth of parentheses, all multiplied: an assignment that
// stands inside of another stands deeper.
std::size_t factor_of(std::string_view marks) {
    std::vector<std::size_t> open;  // items of each list that is open
    std::map<std::size_t, std::size_t> widest;
    std::size_t closed = 0;  // items of the list that ended right before
    for (const char mark : marks) {
        if (mark == '=' && closed > 1) {
            std::size_t& width = widest[open.size()];
            width = std::max(width, closed);
        }
        closed = 0;
        if (mark == '(') open.push_back(1);
        if (mark == ',' && !open.empty()) ++open.back();
        if (mark != ')' || open.empty()) continue;
        closed = open.back();
        open.pop_back();
    }
    std::size_t factor = 1;
    for (const auto& [depth, width] : widest) {
        if (factor > std::numeric_limits<std::uint32_t>::max()) break;
        factor *= width;
    }
    return factor;
}

}  // namespace

std::size_t unfolded_bytes(const std::string& sql) {
    const PgQueryLibrary& library = pg_query_library();
    const PgQueryScanResult result = library.scan(sql.c_str());
    std::size_t factor = 1;
    if (result.error == nullptr)  // else the grammar refuses it as well
        factor = factor_of(marks_of({result.pbuf.data, result.pbuf.len}, sql));
    library.free_scan(result);
    return sql.size() * factor;
}

}  // namespace svc::sql
