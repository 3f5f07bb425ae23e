// The icons that a contract may name, those that pages can draw, and those in the docs are the
// same.
#include "page/html/icons.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "model/page/icons.hpp"
#include "paths.hpp"

namespace svc::page {
namespace {

TEST(PageIcons, each_name_has_a_shape_of_its_own) {
    for (const std::string& name : model::icon_names()) {
        if (name == "circle") continue;
        EXPECT_NE(icon(name), icon("circle")) << name;
    }
}

TEST(PageIcons, each_name_is_documented) {
    std::ifstream in(SVC_SOURCE_DIR "/docs/contract-pages.md");
    const std::string docs{std::istreambuf_iterator<char>(in), {}};
    const std::size_t section = docs.find("\n## Icons\n");
    ASSERT_NE(section, std::string::npos);
    for (const std::string& name : model::icon_names())
        EXPECT_NE(docs.find('`' + name + '`', section), std::string::npos) << name;
}

}  // namespace
}  // namespace svc::page
