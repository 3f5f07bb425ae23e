#include <algorithm>
#include <set>

#include "contract/shape/shape.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kMaxQueryName = 100;

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> out{""};
    for (const char c : name) {
        if (c == '/') {
            out.emplace_back();
        } else {
            out.back() += c;
        }
    }
    return out;
}

std::string without_underscores(std::string name) {
    name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
    return name;
}

// Names become files, namespaces and structs: two that fold to one would, too, and so would a query
// and a folder of its name.
class QueryNames {
  public:
    explicit QueryNames(diag::Findings& findings) : findings_(findings) {}

    void add(const contract::Text& name) {
        const std::vector<std::string> parts = parts_of(name.text);
        const bool fine = name.text.size() <= kMaxQueryName &&
                          std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
                              return contract::is_identifier(part);
                          });
        if (!fine) {
            findings_.error("BAD_NAME", name.path,
                            "\"" + name.text + "\" is not a valid name of a query.",
                            "write names of lower-case letters, digits and _ with / between "
                            "folders; at most 100 characters in all");
            return;
        }
        const std::string fold = without_underscores(name.text);
        if (!names_.insert(fold).second) {
            taken(name, "The name \"" + name.text + "\" is already used.");
        } else if (folders_.count(fold) != 0) {
            taken(name, "\"" + name.text + "\" is already a folder of other queries.");
        }
        for (std::size_t slash = fold.find('/'); slash != std::string::npos;
             slash = fold.find('/', slash + 1)) {
            const std::string folder = fold.substr(0, slash);
            if (folders_.insert(folder).second && names_.count(folder) != 0) {
                taken(name, "The folder of \"" + name.text + "\" is already the name of a query.");
            }
        }
    }

  private:
    void taken(const contract::Text& name, std::string message) {
        findings_.error("NAME_TAKEN", name.path, std::move(message), "choose another name");
    }

    diag::Findings& findings_;
    std::set<std::string> names_, folders_;
};

// "end_users": no principal is meant.
bool misspelt(Work work, const contract::Text& name) {
    const std::vector<std::string> personas = persona_names(work.out);
    const std::string near = diag::nearest(name.text, {"end_user", "workflow"});
    if (near.empty() || std::find(personas.begin(), personas.end(), name.text) != personas.end()) {
        return false;
    }
    work.findings.error("UNKNOWN_PRINCIPAL", name.path,
                        "There is no principal \"" + name.text + "\".",
                        "did you mean \"" + near + "\"?");
    return true;
}

void allow(Work work, const contract::Query& in, Query& out) {
    for (const contract::Text& name : in.allow) {
        if (name.text == "end_user") {
            out.end_user = true;
        } else if (name.text == "workflow") {
            out.workflow = true;
        } else if (misspelt(work, name)) {
            continue;
        } else if (std::optional<Principal> principal = resolve_principal(work, name)) {
            out.allow.push_back(std::move(*principal));
        }
    }
}

// A default with the current time would use the database's zone, not the app's.
bool clock(Work work, const contract::Param& in) {
    if (!in.default_value ||
        (in.default_value->text != "now()" && in.default_value->text != "today()")) {
        return false;
    }
    if (in.type.text != "date" && in.type.text != "datetime") return false;
    work.findings.error(
        "BAD_DEFAULT", in.default_value->path, "The default of a parameter must be a literal.",
        "remove the default, and write coalesce(:" + in.name.text + ", …) in the SQL");
    return true;
}

// A body that has it could be all of the parameters, or this one.
void kept_name(Work work, const contract::Param& in) {
    if (in.name.text != "params") return;
    work.findings.error("BAD_NAME", in.name.path,
                        "\"params\" cannot be the name of a query's parameter: the body of a call "
                        "has its parameters under this key.",
                        "choose another name");
}

void params(Work work, const contract::Query& in, Query& out) {
    for (const contract::Param& given : in.params) {
        kept_name(work, given);
        const bool is_clock = clock(work, given);
        contract::Field field = as_field(work, given);
        if (is_clock) field.default_value.reset();
        resolve_field(work, field, out.params.emplace_back());
    }
}

}  // namespace

contract::Field as_field(Work work, const contract::Param& in) {
    contract::Field out;
    out.name = in.name;
    out.type = in.type;
    out.default_value = in.default_value;
    out.required = in.required;
    out.path = in.path;
    if (in.required && in.default_value) {
        work.findings.error("BAD_OPTION", in.default_value->path,
                            "\"" + in.name.text + "\" is required, so its default is never used.",
                            "remove one of the two");
    }
    return out;
}

void unknown_query(Work work, const contract::Text& name) {
    std::vector<std::string> known;
    for (const Query& query : work.out.queries) known.push_back(query.name);
    work.findings.missing(
        "UNKNOWN_QUERY", name.text, name.path, "There is no query \"" + name.text + "\".",
        did_you_mean(name.text, known,
                     known.empty() ? "add it to \"queries\"" : "the queries are " + joined(known)));
}

void resolve_queries(Work work) {
    QueryNames names(work.findings);
    for (const contract::Query& in : work.in.queries) {
        if (in.name.path != in.path) names.add(in.name);  // else it has none
        Query& out = work.out.queries.emplace_back();
        out.name = in.name.text;
        out.description = in.description.text;
        out.writes = in.mode.text == "write";
        out.sql = in.sql.text;
        out.path = in.path;
        allow(work, in, out);
        params(work, in, out);
    }
}

}  // namespace svc::model
