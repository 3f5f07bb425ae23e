#include "compiled.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "paths.hpp"

namespace svc::differential {
namespace {

constexpr std::size_t kPartSize = 250;

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_cell(std::ostream& out, const Cell& cell) {
    if (!cell) {
        out << "- ";
    } else {
        out << cell->size() << ':' << *cell << ' ';
    }
}

void write_rows(std::ostream& out, const std::vector<Cells>& rows) {
    out << rows.size() << ' ' << rows.at(0).size() << '\n';
    for (const Cells& row : rows) {
        for (const Cell& cell : row) write_cell(out, cell);
        out << '\n';
    }
}

void shell(const std::string& command) {
    if (std::system(command.c_str()) != 0) throw std::runtime_error("this failed: " + command);
}

}  // namespace

Compiled::Compiled(std::string folder, const plan::Plan& plan)
    : folder_(std::move(folder)), people_(people(plan)) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/fault/svc");
    for (std::size_t i = 0; i < plan.entities[kThing].columns.size(); ++i) {
        fields_ += plan.entities[kThing].columns[i].member + " = " + std::to_string(i) + ", ";
    }
}

void Compiled::write_data(const World& world) {
    std::ofstream out(folder_ + "/data");
    write_rows(out, world.before());
    write_rows(out, world.after());
    out << people_.size() << '\n';
    for (const Person& person : people_) {
        out << person.bits << ' ' << (person.is_admin ? 1 : 0) << ' ';
        for (const Cell& cell : {person.id, person.persona, person.org, person.email,
                                 Cell(world.now()), Cell(world.today())}) {
            write_cell(out, cell);
        }
    }
}

int Compiled::write_parts(const std::vector<CppCase>& cases) {
    int parts = 0;
    std::string declared, listed;
    for (std::size_t begin = 0; begin < cases.size(); begin += kPartSize, ++parts) {
        const std::string name = "part_" + std::to_string(parts);
        std::ofstream out(folder_ + "/" + name + ".cpp");
        out << "#include \"predicates.hpp\"\nnamespace {\nnamespace field {\nenum : unsigned { "
            << fields_ << "};\n}\n";
        std::string table;
        const std::size_t end = std::min(cases.size(), begin + kPartSize);
        for (std::size_t i = begin; i < end; ++i) {
            const std::string number = std::to_string(cases[i].number);
            out << "bool p" << number
                << "([[maybe_unused]] const svc::Record& row, [[maybe_unused]] const svc::Record& "
                   "before, [[maybe_unused]] const svc::Record& after, [[maybe_unused]] const "
                   "svc::Viewer& viewer) {\n    return "
                << cases[i].condition << ";\n}\n";
            table += "    {" + number + ", p" + number + "},\n";
        }
        out << "}\nextern const Predicate " << name << "[] = {\n"
            << table << "    {-1, nullptr}};\n";
        declared += "extern const Predicate " + name + "[];\n";
        listed += name + ", ";
    }
    std::ofstream(folder_ + "/parts.cpp")
        << "#include \"predicates.hpp\"\n"
        << declared
        << "extern const Predicate* const kParts[];\nconst Predicate* const kParts[] = {" << listed
        << "nullptr};\n";
    return parts;
}

void Compiled::build(int parts) {
    const std::string runner = SVC_SOURCE_DIR "/tests/differential/runner";
    const std::string compile = std::string(SVC_CXX) + " -std=c++20 -O0 -g0 -I " + folder_ +
                                "/fault -I " SVC_SOURCE_DIR "/runtime-support -I " + runner +
                                " -c ";
    std::ofstream list(folder_ + "/sources");
    list << runner << "/main.cpp " << folder_ << "/main.o\n"
         << folder_ << "/parts.cpp " << folder_ << "/parts.o\n";
    for (int i = 0; i < parts; ++i) {
        const std::string part = folder_ + "/part_" + std::to_string(i);
        list << part << ".cpp " << part << ".o\n";
    }
    list.close();
    shell("rm -f " + folder_ + "/*.o && xargs -P2 -L1 sh -c '" + compile + "$0 -o $1' < " +
          folder_ + "/sources");
    shell(std::string(SVC_CXX) + " -fuse-ld=mold -o " + folder_ + "/runner " + folder_ +
          "/*.o " SVC_RUNTIME_LIBRARY);
}

std::map<int, std::vector<Answers>> Compiled::run(
    const World& world, const std::vector<CppCase>& cases,
    const std::pair<std::string, std::string>& fault) {
    const std::string changed = folder_ + "/fault/svc/maybe.hpp";
    std::filesystem::remove(changed);
    if (!fault.first.empty()) {
        std::string header = text_of(SVC_SOURCE_DIR "/runtime-support/svc/maybe.hpp");
        const auto at = header.find(fault.first);
        if (at == std::string::npos) throw std::runtime_error("the fault has no place");
        std::ofstream(changed) << header.replace(at, fault.first.size(), fault.second);
    }
    write_data(world);
    build(write_parts(cases));
    shell(folder_ + "/runner " + folder_ + "/data > " + folder_ + "/answers");
    std::map<int, std::vector<Answers>> out;
    std::ifstream file(folder_ + "/answers");
    int number = 0;
    for (std::string bits; file >> number >> bits;) {
        for (std::size_t at = 0; at < bits.size(); at += kThings) {
            out[number].push_back(bits.substr(at, kThings));
        }
    }
    return out;
}

}  // namespace svc::differential
