// Objects and binaries by hash, on disk, shared by projects and by builds that run at the same
// time.
#pragma once

#include <string>

namespace svc::build {

class Cache {
  public:
    // Makes its folders. Throws std::filesystem::filesystem_error.
    explicit Cache(const std::string& folder);

    std::string object(const std::string& key) const { return folder_ + "/objects/" + key + ".o"; }
    std::string binary(const std::string& key) const { return folder_ + "/bin/" + key; }
    // True when it is there; it then counts as just used.
    static bool use(const std::string& path);
    // Puts a finished file in its place, whole or not at all, as our own. `from` must lie in a
    // WorkFolder of this cache; what a program put there that is not a plain file is refused:
    // throws std::runtime_error.
    static void install(const std::string& from, const std::string& to);
    // A name that outlives the machine's power must not do so without what it names: of a binary,
    // before it is installed. Throws std::system_error.
    static void to_disk(const std::string& path);
    // Keeps objects, binaries and scripts of components to a bound each, the longest unused going
    // first. A binary stays where it is younger than a day, runs, or has another hard link, which
    // its user makes.
    void sweep() const;

    const std::string& folder() const { return folder_; }

  private:
    std::string folder_;
};

// A folder for one build, removed with everything in it.
class WorkFolder {
  public:
    explicit WorkFolder(const Cache& cache);
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace svc::build
