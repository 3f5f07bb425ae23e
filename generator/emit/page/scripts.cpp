#include "emit/page/scripts.hpp"

#include "emit/fill.hpp"
#include "emit/text.hpp"

namespace svc::emit {

void put_scripts(const plan::Plan& plan, const Scripts& scripts, FileSet& files) {
    Data data;
    data["app"] = plan.namespace_name;
    Data all{Data::type::list};
    for (std::size_t i = 0; i < scripts.size(); ++i) {
        const std::string path = "scripts/" + scripts[i].name;
        Data one;
        one["label"] = plan.namespace_name + "_script" + std::to_string(i);
        one["path"] = path;
        one["name"] = cpp_literal(scripts[i].name);
        one["size"] = std::to_string(scripts[i].text.size());
        all.push_back(one);
        files[path] = scripts[i].text;
    }
    data["scripts"] = std::move(all);
    files["scripts.cpp"] = fill("scripts.cpp.mustache", data);
}

}  // namespace svc::emit
