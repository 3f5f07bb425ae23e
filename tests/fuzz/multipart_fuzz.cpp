// Any bytes as a multipart body: what comes out is the same however it was cut, and no part holds
// a delimiter. A line with the content type stands in front.
#include "file/kind/name.hpp"
#include "file/upload/multipart.hpp"
#include "fuzz.hpp"

namespace {

using svc::file::Multipart;
using svc::fuzz::demand;
using Event = Multipart::Event;

struct Part {
    std::string name, file_name, type, data;
    bool ended = false;
    bool operator==(const Part&) const = default;
};

struct Read {
    std::vector<Part> parts;
    Event last = Event::more;
    bool operator==(const Read&) const = default;
};

bool is_over(Event event) { return event == Event::malformed || event == Event::too_large; }

void note(Read& read, const Multipart& parser, std::string_view data) {
    if (read.last == Event::begin)
        read.parts.push_back({parser.name(), parser.file_name(), parser.type(), {}});
    if (read.last != Event::data && read.last != Event::end) return;
    demand(!read.parts.empty() && !read.parts.back().ended, "bytes are of a part that has begun");
    if (read.last == Event::data) read.parts.back().data += data;
    read.parts.back().ended = read.last == Event::end;
}

Read parse(std::string_view body, std::string_view boundary, std::size_t piece) {
    Multipart parser(boundary);
    Read out;
    svc::fuzz::in_pieces(body, piece, [&](std::string_view bytes) {
        while (!bytes.empty() && !is_over(out.last)) {
            std::string_view data;
            const std::size_t before = bytes.size();
            out.last = parser.next(bytes, data);
            demand(bytes.size() < before || out.last != Event::more, "it takes what it is given");
            note(out, parser, data);
        }
    });
    return out;
}

void check_name(const std::string& sent) {
    const std::string name = svc::file::clean_name(sent);
    demand(!name.empty() && name.size() <= 200, "a name is short");
    demand(name.find_first_of("/\\\r\n\t") == std::string::npos, "it is no path and one line");
    demand(name != "." && name != "..", "it is no folder");
    demand(svc::base::is_utf8(name), "it is UTF-8");
    demand(svc::file::clean_name(name) == name, "what is clean stays as it is");
    const std::string header = svc::file::disposition("attachment", name);
    for (const char c : header) demand(c >= 0x20 && c < 0x7F, "a header is ASCII");
    Multipart parser("b");
    std::string_view bytes, data;
    const std::string sent_back = "--b\r\nContent-Disposition: form-data; name=a" +
                                  header.substr(header.find(';')) + "\r\n\r\n";
    for (bytes = sent_back; !bytes.empty();)
        demand(!is_over(parser.next(bytes, data)), "our own header can be read");
    demand(parser.file_name() == name, "and gives the same name");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    svc::fuzz::Input input(bytes, size);
    const std::size_t piece = 1 + input.choice(64);
    const std::string boundary = svc::file::boundary_of(input.line()).value_or("b");
    demand(!boundary.empty() && boundary.size() <= 70, "a boundary is as RFC 2046 has it");
    const Read read = parse(input.rest(), boundary, 0);
    demand(read == parse(input.rest(), boundary, piece), "pieces make no difference");
    for (const Part& part : read.parts) {
        demand(part.data.find("\r\n--" + boundary) == std::string::npos,
               "no part holds a delimiter");
        check_name(part.file_name);
    }
    return 0;
}
