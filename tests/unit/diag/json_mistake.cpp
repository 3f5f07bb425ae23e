// What is said of texts that are not JSON.
#include "diag/json_mistake.hpp"

#include <gtest/gtest.h>

namespace svc::diag {
namespace {

TEST(JsonMistake, SaysThatAFileIsEmpty) {
    for (const char* text : {"", "\n", " \r\n\t"}) {
        const Finding finding = json_mistake(text, 1, "syntax error; unexpected end of input");
        EXPECT_EQ(finding.message, "The file is empty.");
        EXPECT_EQ(finding.fix, "begin with {\"app\": {\"name\": \"…\"}, \"entities\": []}");
    }
}

TEST(JsonMistake, DoesNotCallABegunContractEmpty) {
    const Finding finding = json_mistake("{\n", 3, "syntax error; unexpected end of input");
    EXPECT_EQ(finding.message, "This is not JSON: the text ends before all is closed.");
}

}  // namespace
}  // namespace svc::diag
