#include "file/upload/multipart.hpp"

#include <gtest/gtest.h>

#include "file/kind/mime.hpp"
#include "file/kind/name.hpp"
#include "file/tickets.hpp"

namespace svc::file {
namespace {

using Event = Multipart::Event;

struct Seen {
    std::string text;  // name=data;
    Event end = Event::more;
};

// Fed `step` bytes at a time.
Seen parse(std::string_view body, std::size_t step, std::string_view boundary = "b") {
    Multipart parser(boundary);
    Seen out;
    while (!body.empty()) {
        std::string_view bytes = body.substr(0, step);
        body.remove_prefix(bytes.size());
        while (!bytes.empty()) {
            std::string_view data;
            out.end = parser.next(bytes, data);
            if (out.end == Event::begin)
                out.text += parser.name() + "(" + parser.file_name() + ")=";
            if (out.end == Event::data) out.text += data;
            if (out.end == Event::end) out.text += ';';
            if (out.end == Event::malformed || out.end == Event::too_large) return out;
        }
    }
    return out;
}

std::string part(const std::string& headers, const std::string& data) {
    return "--b\r\n" + headers + "\r\n\r\n" + data + "\r\n";
}

TEST(Multipart, IsTheSameInPiecesOfAnySize) {
    const std::string data = "one\r\n--\r\n--c\r\r\n--\n--b";
    const std::string body = "before\r\n" +
                             part("Content-Disposition: form-data; name=\"a\"", "1") +
                             part(
                                 "content-type: text/plain\r\ncontent-disposition: form-data; "
                                 "name=file; filename=\"x.txt\"",
                                 data) +
                             "--b-- \r\nafter";
    for (std::size_t step = 1; step <= body.size(); ++step) {
        const Seen seen = parse(body, step);
        EXPECT_EQ(seen.text, "a()=1;file(x.txt)=" + data + ";") << step;
        EXPECT_EQ(seen.end, Event::whole) << step;
    }
}

TEST(Multipart, ReadsNamesAsBrowsersAndOthersWriteThem) {
    const auto name = [](const std::string& parameter) {
        return parse(part("Content-Disposition: form-data; name=\"f\"; " + parameter, ""), 1000)
            .text;
    };
    EXPECT_EQ(name(R"(filename="a%22b.txt")"), "f(a\"b.txt)=");
    EXPECT_EQ(name(R"(filename="a\"b.txt")"), "f(a\"b.txt)=");
    EXPECT_EQ(name(R"(filename="C:\x\n.txt")"), R"(f(C:\x\n.txt)=)");
    EXPECT_EQ(name(R"(filename="a.txt"; filename*=UTF-8''%C3%A9.txt)"), "f(\xC3\xA9.txt)=");
}

TEST(Multipart, RefusesWhatIsNone) {
    for (const char* headers :
         {"Content-Disposition: attachment; name=\"a\"", "Content-Type: text/plain",
          "Content-Disposition: form-data; name=\"a", "Content-Disposition: form-data", "no colon",
          "Content-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; "
          "name=\"b\""})
        EXPECT_EQ(parse(part(headers, "x"), 7).end, Event::malformed) << headers;
    EXPECT_EQ(parse("--b\nContent", 3).end, Event::malformed);
    EXPECT_EQ(parse("--b-x", 3).end, Event::malformed);
}

TEST(Multipart, HoldsItsBounds) {
    const std::string disposition = "Content-Disposition: form-data; name=\"a\"";
    EXPECT_EQ(parse(std::string(5000, 'x'), 100).end, Event::too_large);
    EXPECT_EQ(parse(std::string(5000, '\r'), 100).end, Event::too_large);
    EXPECT_EQ(parse("--b\r\nX: " + std::string(9000, 'x'), 100).end, Event::too_large);
    std::string many;
    for (int i = 0; i < 40; ++i) many += part(disposition, "x");
    EXPECT_EQ(parse(many, 100).end, Event::too_large);
}

TEST(Multipart, TakesBoundariesThatRfc2046Allows) {
    EXPECT_EQ(boundary_of("multipart/form-data; boundary=abc"), "abc");
    EXPECT_EQ(boundary_of("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\""), "a b");
    for (const char* type :
         {"multipart/form-data", "multipart/mixed; boundary=a", "text/plain",
          "multipart/form-data; boundary=", "multipart/form-data; boundary=\"a\r\""})
        EXPECT_FALSE(boundary_of(type)) << type;
    EXPECT_FALSE(boundary_of("multipart/form-data; boundary=" + std::string(71, 'x')));
}

TEST(FileNames, AreNoPathsAndShowWhatTheyAre) {
    EXPECT_EQ(clean_name("../../etc/passwd"), "passwd");
    EXPECT_EQ(clean_name("C:\\docs\\a.txt"), "a.txt");
    EXPECT_EQ(clean_name("a\r\nSet-Cookie: x.txt"), "aSet-Cookie: x.txt");
    EXPECT_EQ(clean_name("a\xE2\x80\xAEgpj.exe"), "agpj.exe");
    EXPECT_EQ(clean_name("\xFFx.png"), "_x.png");
    for (const char* none : {"", ".", "..", " ", "a/", "\x01"}) EXPECT_EQ(clean_name(none), "file");
    const std::string before_dot = clean_name(std::string(199, 'n') + ". " + std::string(30, 'x'));
    EXPECT_EQ(before_dot, std::string(199, 'n'));
    const std::string cut = clean_name(std::string(300, 'n') + ".png");
    EXPECT_EQ(cut.size(), 200U);
    EXPECT_TRUE(cut.ends_with(".png"));
    EXPECT_EQ(disposition("inline", "\xC3\xA9\"%.png"),
              "inline; filename=\"___.png\"; filename*=UTF-8''%C3%A9%22%25.png");
}

TEST(FileTypes, AreKeptWhereContentAndWordAgree) {
    const FileRules any;
    EXPECT_EQ(type_to_keep(any, "image/png", "image/jpeg"), "image/jpeg");
    EXPECT_EQ(type_to_keep(any, "text/csv", "text/plain"), "text/csv");
    EXPECT_EQ(type_to_keep(any, "application/json", "text/plain"), "application/json");
    EXPECT_EQ(type_to_keep(any, "", "application/pdf"), "application/pdf");
    EXPECT_FALSE(type_to_keep(any, "image/png", "image/svg+xml"));
    EXPECT_FALSE(type_to_keep(any, "image/png", "text/html"));
    EXPECT_FALSE(type_to_keep(any, "application/pdf", "text/html"));
    EXPECT_FALSE(type_to_keep(any, "application/x-msdownload", "application/x-dosexec"));
    const std::string_view only[] = {"image/png"};
    FileRules rules;
    rules.mime = only;
    EXPECT_FALSE(type_to_keep(rules, "image/png", "image/jpeg"));
    EXPECT_TRUE(is_allowed(rules, "image/png"));
    EXPECT_FALSE(is_allowed(rules, "image/pngs"));
    EXPECT_EQ(normal_type("Image/PNG; q=1"), "image/png");
    EXPECT_EQ(normal_type("image/p ng"), "");
}

TEST(FileTypes, NeverLeaveAsScriptsStylesOrMarkup) {
    for (const char* type :
         {"text/html", "text/javascript", "text/css", "text/xml", "application/xml",
          "application/xhtml+xml", "application/javascript", "text/vbscript"}) {
        EXPECT_EQ(served_as(type).content_type, "text/plain; charset=utf-8") << type;
        EXPECT_FALSE(served_as(type).is_inline);
    }
    EXPECT_FALSE(served_as("image/svg+xml").is_inline);
    EXPECT_TRUE(served_as("image/png").is_inline);
    EXPECT_TRUE(served_as("application/pdf").is_inline);
}

TEST(FileTickets, AreForOneFileOnePlaceAndAnHour) {
    const Tickets tickets("secret", "p/dev"), prod("secret", "p/prod");
    const std::string ticket = tickets.ticket("f", 1000);
    EXPECT_EQ(tickets.check("f", ticket, 1000 + 3600), Tickets::Checked::good);
    EXPECT_EQ(tickets.check("f", ticket, 1000 + 3601), Tickets::Checked::expired);
    EXPECT_EQ(tickets.check("g", ticket, 1000), Tickets::Checked::forged);
    EXPECT_EQ(prod.check("f", ticket, 1000), Tickets::Checked::forged);
    EXPECT_EQ(tickets.check("f", "9" + ticket, 1000), Tickets::Checked::forged);
    EXPECT_FALSE(tickets.holds("f", "ann", ticket));
    EXPECT_TRUE(tickets.holds("f", "ann", tickets.sign("f", "ann")));
    EXPECT_FALSE(tickets.holds("f", "bob", tickets.sign("f", "ann")));
}

}  // namespace
}  // namespace svc::file
