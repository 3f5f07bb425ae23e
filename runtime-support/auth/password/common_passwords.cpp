#include "auth/password/common_passwords.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace svc::auth {
namespace {

// In order, all lower case, eight characters and more: shorter ones are refused anyway.
constexpr std::string_view kCommon[] = {
    "!qaz1qaz",    "!qaz2wsx",     "00000000",     "000000000",   "0000000000",     "0123456789",
    "0987654321",  "101010101",    "10203040",     "11111111",    "111111111",      "1111111111",
    "11223344",    "1122334455",   "12121212",     "123123123",   "123321123",      "12341234",
    "123454321",   "12345678",     "123456789",    "1234567890",  "12345678910",    "123qwe123",
    "123qweasd",   "123qweasdzxc", "13579135",     "1357924680",  "147147147",      "147258369",
    "159357159",   "159753456",    "1a2b3c4d",     "1q2w3e4r",    "1q2w3e4r5t",     "1q2w3e4r5t6y",
    "1qaz2wsx",    "1qaz2wsx3edc", "20202020",     "202020202",   "22222222",       "2468013579",
    "24682468",    "27182818",     "31415926",     "321321321",   "33333333",       "44444444",
    "456456456",   "55555555",     "66666666",     "741852963",   "77777777",       "7777777a",
    "789456123",   "789789789",    "87654321",     "88888888",    "88888888a",      "963852741",
    "987654321",   "99999999",     "a123456789",   "a1b2c3d4",    "aa123456",       "aa12345678",
    "aaaaaaaa",    "aabbccdd",     "abc12345",     "abc123456",   "abcd1234",       "abcdefg1",
    "abcdefgh",    "admin123",     "admin1234",    "admin12345",  "administrador",  "administrator",
    "alexander",   "arsenal1",     "asdf1234",     "asdf;lkj",    "asdfasdf",       "asdfghjk",
    "asdfghjkl",   "ashley12",     "autumn2024",   "autumn2025",  "autumn2026",     "azertyuiop",
    "banana123",   "barcelona",    "baseball",     "baseball1",   "basketball",     "batman123",
    "beatles1",    "blink182",     "butterfly",    "changeme",    "changeme1",      "changeme123",
    "charlie1",    "cheese123",    "chelsea1",     "cherry123",   "chocolate",      "christian",
    "computer",    "contrasena",   "cookie123",    "corvette",    "cupcake1",       "daniel123",
    "default1",    "dragon123",    "elephant",     "elizabeth",   "eminem123",      "facebook",
    "facebook1",   "ferrari1",     "flower123",    "football",    "football1",      "fortnite",
    "gandalf1",    "gfhjkm123",    "google123",    "guest123",    "harleydavidson", "ilovegod",
    "iloveyou",    "iloveyou1",    "internet",     "internet1",   "jennifer",       "jessica1",
    "jordan23",    "juventus",     "letmein1",     "letmein123",  "letmeinnow",     "linkedin",
    "liverpool",   "liverpool1",   "lovelove",     "loveyou1",    "manchester",     "master123",
    "matrix123",   "mercedes",     "metallica",    "michael1",    "michelle",       "microsoft",
    "minecraft",   "monkey123",    "motdepasse",   "mustang1",    "mypassword",     "mysecret",
    "myspace1",    "newpassword",  "nicole12",     "nintendo",    "nirvana1",       "nopassword",
    "oldpassword", "opensesame",   "p4ssw0rd",     "p@ssw0rd",    "p@ssword",       "pa55word",
    "pass1234",    "pass12345",    "passpass",     "passw0rd",    "password",       "password1",
    "password12",  "password123",  "password1234", "passwort",    "patricia",       "peanut123",
    "playstation", "pokemon1",     "porsche911",   "princess",    "princess1",      "pumpkin1",
    "q1w2e3r4",    "q1w2e3r4t5",   "qazwsx123",    "qazwsxedc",   "qweasdzxc",      "qweqweqwe",
    "qwerty!1",    "qwerty123",    "qwerty1234",   "qwerty12345", "qwertyui",       "qwertyuiop",
    "qwertz123",   "qwertzuiop",   "rainbow1",     "realmadrid",  "roblox123",      "root1234",
    "samantha",    "samsung1",     "scooter1",     "secret123",   "shadow123",      "slipknot",
    "snowball",    "spiderman",    "spring2024",   "spring2025",  "spring2026",     "startrek",
    "starwars",    "starwars1",    "summer2020",   "summer2021",  "summer2022",     "summer2023",
    "summer2024",  "summer2025",   "summer2026",   "sunshine",    "sunshine1",      "superman",
    "superman1",   "sweetheart",   "test1234",     "test12345",   "testing1",       "testing123",
    "testtest",    "thepassword",  "tinkerbell",   "trustno1",    "user1234",       "username",
    "victoria",    "welcome1",     "welcome123",   "whatever",    "whatever1",      "windows10",
    "winter2020",  "winter2021",   "winter2022",   "winter2023",  "winter2024",     "winter2025",
    "winter2026",  "yourpassword", "zaq12wsx",     "zaq1zaq1",    "zxcvbnm,",       "zxcvbnm.",
    "zxcvbnm1",    "zxcvbnm123",
};
static_assert(std::ranges::is_sorted(kCommon));

}  // namespace

bool is_common_password(std::string_view password) {
    const std::string lower = base::lower(password);
    return std::ranges::binary_search(kCommon, std::string_view(lower));
}

}  // namespace svc::auth
