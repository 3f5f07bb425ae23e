#include "pipeline_pages.hpp"

#include <algorithm>
#include <string>

#include "model/names.hpp"

namespace svc::pipeline {
namespace {

void column(const plan::Query& query, const std::string& name, const std::string& path,
            diag::Findings& findings) {
    std::vector<std::string> known;
    known.reserve(query.columns.size());
    for (const plan::QueryColumn& column : query.columns) known.push_back(column.name);
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    findings.error("UNKNOWN_FIELD", path, query.name + " has no column \"" + name + "\".",
                   model::did_you_mean(name, known, "its columns are " + model::joined(known)));
}

void block(const model::Block& block, const plan::Query& query, diag::Findings& findings) {
    for (std::size_t i = 0; i < block.query_columns.size(); ++i) {
        column(query, block.query_columns[i], block.path + "/fields/" + std::to_string(i),
               findings);
    }
    column(query, block.query_column, block.path + "/column", findings);
    column(query, block.query_group_by, block.path + "/groupBy", findings);
    for (const model::PageTextPart& part : block.link) {
        if (part.kind != model::PageTextPart::Kind::row) continue;
        column(query, part.text, block.path + "/link", findings);
    }
}

}  // namespace

void check_query_columns(const model::Model& model, const plan::Plan& plan,
                         diag::Findings& findings) {
    for (const model::Page& page : model.pages) {
        for (const model::Block& shown : page.body) {
            if (!shown.query) continue;
            const auto query =
                std::find_if(plan.queries.begin(), plan.queries.end(),
                             [&](const plan::Query& other) { return other.name == *shown.query; });
            if (query != plan.queries.end() && !query->columns.empty()) {
                block(shown, *query, findings);
            }
        }
    }
}

}  // namespace svc::pipeline
