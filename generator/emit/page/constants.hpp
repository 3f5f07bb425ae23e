// The constants that pages.cpp is made of, and their names.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace svc::emit {

// ".title = "Orders", .limit = 5": the members of a struct that differ from their defaults.
class Members {
  public:
    void add(const std::string& name, const std::string& value);
    // Nothing for an empty value.
    void text(const std::string& name, const std::string& value);
    void code(const std::string& name, const std::string& value);
    void flag(const std::string& name, bool value);
    std::string braced() const { return "{" + text_ + "}"; }
    // The trailing comma lets clang-format write each member on a line of its own.
    std::string lines() const { return "{" + text_ + ",}"; }

  private:
    std::string text_;
};

// "/product/:id" -> ProductById, "order_line" -> OrderLine; letters and digits alone. Two texts may
// give the same word, so Constants makes every name unique.
std::string pascal_words(std::string_view text);

// Definitions in the order in which they are requested. A constant's name tells where it belongs: a
// table has the name of its entity (kOrder), and everything else ends with what it is
// (kOrderFields, kHomeBlocks). If the name is taken, a number follows it. None is a name of another
// file of the app (kEntities), which may be compiled with this one.
class Constants {
  public:
    // Types are those of svc::page, or other types with their namespace. The functions give the
    // constant's name; empty for an array of nothing.
    std::string array(const std::string& type, const std::string& name,
                      const std::vector<std::string>& items);
    // Prints on one line if it fits.
    std::string row(const std::string& type, const std::string& name,
                    const std::vector<std::string>& items);
    std::string object(const std::string& type, const std::string& name, const Members& members);
    // A value that many constants refer to. It is printed once, before all others; its name
    // describes its content.
    std::string shared(const std::string& type, const std::string& name,
                       const std::vector<std::string>& items);
    // "FieldKind::text", and the file says which FieldKind.
    std::string value(const std::string& type, std::string_view of);

    void heading(const std::string& text);
    // Prints using-declarations of the used types, then all definitions.
    std::string text() const;

  private:
    std::string fresh(const std::string& name);
    std::string begin(const std::string& type, const std::string& name);

    std::string first_, text_;
    std::set<std::string> names_, types_;
    std::map<std::string, std::string> shared_;  // by the definition without its name
};

}  // namespace svc::emit
