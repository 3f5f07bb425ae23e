#include "gates/contract.hpp"

#include <algorithm>

namespace svc::gates {
namespace {

// True if a guest may open the page.
bool may_be_guest(const model::Page& page) {
    using Kind = model::Principal::Kind;
    return std::any_of(page.to.begin(), page.to.end(), [](const model::Principal& one) {
        return one.kind == Kind::any || one.kind == Kind::guest;
    });
}

std::string user_type(const std::string& attribute, const model::Page& page) {
    if (attribute == "isAdmin") return "boolean";
    const bool maybe = attribute == "org" || may_be_guest(page);
    return maybe ? "string | null" : "string";
}

// A text that is one placeholder keeps the placeholder's type.
Prop prop_of(const std::string& name, const model::PageValue& value, const model::Page& page) {
    if (value.text.empty()) return {name, value.json, ""};
    const model::PageTextPart& first = value.text.front();
    const bool user = value.text.size() == 1 && first.kind == model::PageTextPart::Kind::user;
    return {name, "", user ? user_type(first.text, page) : "string"};
}

struct LocatedUse {
    ComponentUse use;
    std::string path;
};

// In the order of the contract.
std::vector<LocatedUse> places(const model::Model& model) {
    std::vector<LocatedUse> out;
    for (const model::Page& page : model.pages) {
        if (page.component) {
            LocatedUse whole{{model.components[*page.component].name, {}},
                             page.path + "/component"};
            for (const std::string& param : page.params)
                whole.use.props.push_back({param, "", "string"});
            out.push_back(std::move(whole));
        }
        for (const model::Block& block : page.body) {
            if (!block.component) continue;
            LocatedUse one{{model.components[*block.component].name, {}}, block.path};
            for (const auto& [name, value] : block.props)
                one.use.props.push_back(prop_of(name, value, page));
            out.push_back(std::move(one));
        }
    }
    return out;
}

// A component's path is that of its name.
std::string member_of(const model::Component& component, const char* member) {
    return component.path.substr(0, component.path.rfind('/') + 1) + member;
}

std::string path_of(const GateFinding& finding, const model::Model& model) {
    if (finding.use) {
        const auto all = places(model);
        if (*finding.use < all.size()) return all[*finding.use].path;
    }
    for (const model::Component& component : model.components)
        if (component.name == finding.component)
            return member_of(component, finding.sample ? "sample" : "source");
    return "/components";
}

std::string words_of(const GateFinding& finding) {
    if (finding.use || finding.sample || finding.component.empty()) return finding.message;
    return finding.component + ".tsx:" + std::to_string(finding.line) + ":" +
           std::to_string(finding.column) + ": " + finding.message;
}

std::string_view code_of(Gate gate) {
    switch (gate) {
        case Gate::statics:
            return "COMPONENT_STATIC";
        case Gate::types:
            return "COMPONENT_TYPES";
        case Gate::compile:
            return "COMPONENT_COMPILE";
        case Gate::render:
            break;
    }
    return "COMPONENT_RENDER";
}

}  // namespace

Job job_of(const model::Model& model, const emit::FileSet& files) {
    Job out;
    for (const model::Component& one : model.components)
        out.components.push_back({one.name, one.source, one.sample});
    out.client = client_of(files);
    for (LocatedUse& place : places(model)) out.uses.push_back(std::move(place.use));
    return out;
}

void add_findings(const Report& report, const model::Model& model, diag::Findings& findings) {
    if (!report.trouble.empty())
        findings.error("COMPONENT_NOT_CHECKED", "/components", report.trouble);
    const std::string code(code_of(report.failed.value_or(Gate::render)));
    for (const GateFinding& one : report.errors)
        findings.error(code, path_of(one, model), words_of(one));
}

}  // namespace svc::gates
