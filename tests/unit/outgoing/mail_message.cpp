#include "outgoing/mail_message.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "outgoing/smtp.hpp"

namespace svc::outgoing {
namespace {

std::string header(const std::string& text, const std::string& name) {
    const auto at = text.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    const auto begin = at + name.size() + 4;
    auto end = text.find("\r\n", begin);
    while (text[end + 2] == ' ') end = text.find("\r\n", end + 2);
    return text.substr(begin, end - begin);
}

TEST(MailMessage, HasTheHeadersOfAMail) {
    const std::string text =
        message({"id-1", "Shop <shop@example.com>", "ann@example.test", "Hello", "Line\n"}, 0);
    EXPECT_TRUE(text.starts_with("Date: Thu, 1 Jan 1970 00:00:00 +0000\r\n"));
    EXPECT_EQ(header(text, "From"), "Shop <shop@example.com>");
    EXPECT_EQ(header(text, "To"), "ann@example.test");
    EXPECT_EQ(header(text, "Subject"), "Hello");
    EXPECT_EQ(header(text, "Message-ID"), "<id-1@example.com>");
    EXPECT_TRUE(text.ends_with("\r\n\r\nTGluZQo=\r\n"));
}

TEST(MailMessage, WritesWhatIsNotAsciiAsEncodedWords) {
    std::string subject;
    for (int i = 0; i < 40; ++i) subject += "ä€";
    const std::string text = message({"i", "Käse <k@example.com>", "a@b.test", subject, ""}, 0);
    const std::string encoded = header(text, "Subject");
    std::stringstream words(encoded);
    std::string word;
    while (words >> word) {
        EXPECT_TRUE(word.starts_with("=?utf-8?B?") && word.ends_with("?=")) << word;
        EXPECT_LE(word.size(), 75U);
    }
    EXPECT_EQ(header(text, "From"), "=?utf-8?B?S8Okc2U=?= <k@example.com>");
}

TEST(MailMessage, NoHeaderEndsEarly) {
    const std::string text = message(
        {"i", "A <a@b.test>", "a@b.test", "x\r\nBcc: evil@example.test\r\n\r\nbody", "y"}, 0);
    EXPECT_EQ(text.find("Bcc"), std::string::npos);
}

TEST(MailServer, IsReadFromAUrl) {
    const MailServer server =
        read_mail_server("smtp://me%40x:p%3Aw@mail.test:587/?from=Shop%20%3Cshop%40x.test%3E");
    EXPECT_EQ(server.url, "smtp://mail.test:587");
    EXPECT_EQ(server.user, "me@x");
    EXPECT_EQ(server.password, "p:w");
    EXPECT_EQ(address_of(server.from), "shop@x.test");
    EXPECT_TRUE(server.tls);
    EXPECT_FALSE(read_mail_server("smtp://127.0.0.1:1025").tls);
    EXPECT_FALSE(read_mail_server("smtp://mail.test?tls=off").tls);
    EXPECT_TRUE(read_mail_server("smtps://127.0.0.1").tls);
    for (const char* bad :
         {"", "mail.test", "http://mail.test", "smtp://", "smtp://u:p@", "smtp://h/?from=a%0d%0ab"})
        EXPECT_THROW(read_mail_server(bad), std::invalid_argument) << bad;
}

}  // namespace
}  // namespace svc::outgoing
