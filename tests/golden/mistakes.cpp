// What the checker says to contracts with a mistake each, all in one process:
//
//   svc_mistakes FOLDER [--write | --list]
//
// A mistake is a file NAME.txt: the base contract, what to change of it, an empty line, and what is
// said. A change is lines with " " (kept), "-" (taken out) and "+" (put in) before them, the kept
// and taken ones as they stand in the base exactly once after the change before; "@@" stands
// between two changes. Where the text of the contract is the point, it is whole: FOLDER/whole/NAME/
// svc.json and errors.txt. With --write the expected texts are written instead of compared; with
// --list each contract is printed in a line, with its name and what is expected.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "diag/finding.hpp"
#include "pipeline.hpp"

namespace fs = std::filesystem;

namespace {

using Lines = std::vector<std::string>;

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error("cannot be read: " + file.string());
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void write(const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot be written: " + file.string());
}

Lines lines_of(const std::string& text) {
    Lines out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

struct Change {
    Lines before, after;
};

struct Mistake {
    fs::path file;
    std::string head;  // all that stands before what is said, the empty line too
    std::string contract;
    std::string said;
};

std::vector<Change> read_changes(const Lines& lines) {
    std::vector<Change> out(1);
    for (const std::string& line : lines) {
        if (line == "@@") {
            out.emplace_back();
            continue;
        }
        const char mark = line.at(0);
        if (mark != ' ' && mark != '-' && mark != '+')
            throw std::runtime_error("a line of a change begins with ' ', '-' or '+': " + line);
        if (mark != '+') out.back().before.push_back(line.substr(1));
        if (mark != '-') out.back().after.push_back(line.substr(1));
    }
    return out;
}

// Where the change is meant, from `at` on.
Lines::const_iterator place_of(const Change& change, Lines::const_iterator at,
                               Lines::const_iterator end) {
    const auto found = std::search(at, end, change.before.begin(), change.before.end());
    if (found == end || change.before.empty())
        throw std::runtime_error("these lines are not in the base: " +
                                 (change.before.empty() ? "(none)" : change.before.front()));
    if (std::search(found + 1, end, change.before.begin(), change.before.end()) != end)
        throw std::runtime_error("these lines are in the base twice: " + change.before.front());
    return found;
}

std::string changed(const std::string& base, const std::vector<Change>& changes) {
    const Lines lines = lines_of(base);
    Lines out;
    auto at = lines.begin();
    for (const Change& change : changes) {
        const auto place = place_of(change, at, lines.end());
        out.insert(out.end(), at, place);
        out.insert(out.end(), change.after.begin(), change.after.end());
        at = place + static_cast<std::ptrdiff_t>(change.before.size());
    }
    out.insert(out.end(), at, lines.end());
    std::string text;
    for (const std::string& line : out) text += line + "\n";
    return text;
}

Mistake read_mistake(const fs::path& folder, const fs::path& file) {
    const std::string text = read(file);
    const std::size_t gap = text.find("\n\n");
    if (!text.starts_with("base ") || gap == std::string::npos)
        throw std::runtime_error("a mistake begins with \"base NAME\", and an empty line ends it");
    Lines lines = lines_of(text.substr(0, gap));
    const std::string base = lines.front().substr(std::string("base ").size());
    lines.erase(lines.begin());
    return {file, text.substr(0, gap + 2),
            changed(read(folder / "base" / (base + ".json")), read_changes(lines)),
            text.substr(gap + 2)};
}

Mistake read_whole(const fs::path& contract) {
    const fs::path said = contract.parent_path() / "errors.txt";
    return {said, "", read(contract), fs::exists(said) ? read(said) : ""};
}

// The findings of svc.json as svcgen prints them.
std::string said_of(const std::string& contract, const svc::query::Database& database) {
    const auto findings = svc::pipeline::check(contract, database).findings;
    return svc::diag::render(findings, "svc.json", contract, false);
}

std::vector<fs::path> found_in(const fs::path& folder) {
    std::vector<fs::path> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path& path = entry.path();
        const bool text = path.extension() == ".txt" && path.filename() != "errors.txt";
        if (text || path.filename() == "svc.json") out.push_back(path);
    }
    std::sort(out.begin(), out.end());
    return out;
}

void list(const std::string& name, const Mistake& mistake) {
    // Some contracts are not UTF-8.
    std::cout << nlohmann::json{{"name", name},
                                {"contract", mistake.contract},
                                {"said", mistake.said}}
                     .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
              << "\n";
}

bool holds(const Mistake& mistake, const std::string& said, const std::string& name) {
    if (said == mistake.said) return true;
    std::cerr << "--- " << name << ": expected\n" << mistake.said << "+++ said\n" << said;
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    const char* url = std::getenv("SVC_TEST_DATABASE_URL");
    const std::string mode = argc > 2 ? argv[2] : "";
    if (argc < 2 || (url == nullptr && mode != "--list")) {
        std::cerr << "usage: SVC_TEST_DATABASE_URL=… svc_mistakes FOLDER [--write | --list]\n";
        return 2;
    }
    const fs::path folder = argv[1];
    std::size_t all = 0, failed = 0;
    for (const fs::path& path : found_in(folder)) {
        const std::string name = fs::relative(path, folder).string();
        ++all;
        try {
            const Mistake mistake =
                path.extension() == ".txt" ? read_mistake(folder, path) : read_whole(path);
            if (mode == "--list") {
                list(name, mistake);
                continue;
            }
            const std::string said = said_of(mistake.contract, std::string(url));
            if (mode == "--write") {
                if (said != mistake.said) write(mistake.file, mistake.head + said);
            } else if (!holds(mistake, said, name)) {
                ++failed;
            }
        } catch (const std::exception& error) {
            std::cerr << name << ": " << error.what() << "\n";
            ++failed;
        }
    }
    if (mode != "--list") std::cerr << all << " contracts, " << failed << " differ\n";
    if (failed > 0) std::cerr << "If the change is meant: ./run goldens, then review it.\n";
    return failed == 0 && all > 0 ? 0 : 1;
}
