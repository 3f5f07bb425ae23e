#include "plan/page/markdown.hpp"

#include <cmark-gfm.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "base/ascii.hpp"

namespace svc::plan {
namespace {

struct FreeNode {
    void operator()(cmark_node* node) const { cmark_node_free(node); }
};
struct FreeIter {
    void operator()(cmark_iter* iter) const { cmark_iter_free(iter); }
};
struct FreeText {
    void operator()(char* text) const { std::free(text); }  // as cmark allocates
};

bool may_lead(std::string_view url) {
    if (url.starts_with('/'))
        return !url.starts_with("//") && url.find('\\') == std::string_view::npos;
    if (url.starts_with('#')) return true;
    const std::string lower = base::lower(url.substr(0, 8));
    for (const std::string_view scheme : {"http://", "https://", "mailto:", "tel:"})
        if (lower.starts_with(scheme)) return true;
    return false;
}

// HTML in the text is shown as text.
void show_as_text(cmark_node* node) {
    const bool block = cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK;
    cmark_node* text = cmark_node_new(CMARK_NODE_TEXT);
    cmark_node_set_literal(text, cmark_node_get_literal(node));
    cmark_node* shown = text;
    if (block) {
        shown = cmark_node_new(CMARK_NODE_PARAGRAPH);
        cmark_node_append_child(shown, text);
    }
    cmark_node_replace(node, shown);
    cmark_node_free(node);
}

void make_safe(cmark_node* document) {
    std::vector<cmark_node*> markup;
    const std::unique_ptr<cmark_iter, FreeIter> iter(cmark_iter_new(document));
    while (cmark_iter_next(iter.get()) != CMARK_EVENT_DONE) {
        cmark_node* node = cmark_iter_get_node(iter.get());
        const cmark_node_type type = cmark_node_get_type(node);
        const bool link = type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE;
        const char* url = link ? cmark_node_get_url(node) : nullptr;
        if (url && !may_lead(url)) cmark_node_set_url(node, "");
        const bool leaf = type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE;
        if (leaf && (markup.empty() || markup.back() != node)) markup.push_back(node);
    }
    for (cmark_node* node : markup) show_as_text(node);
}

}  // namespace

std::string markdown_html(std::string_view text) {
    const std::unique_ptr<cmark_node, FreeNode> document(
        cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT));
    make_safe(document.get());
    const std::unique_ptr<char, FreeText> html(
        cmark_render_html(document.get(), CMARK_OPT_DEFAULT, nullptr));
    return html.get();
}

}  // namespace svc::plan
