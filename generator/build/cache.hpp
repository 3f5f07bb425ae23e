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
    // True if the entry exists; it then counts as just used.
    static bool use(const std::string& path);
    // Moves a finished file into the cache, completely or not at all, owned by us. `from` must lie
    // in a WorkFolder of this cache; if it is not a plain file, throws std::runtime_error.
    static void install(const std::string& from, const std::string& to);
    // Flushes a binary to the disk before it is installed, so that after a power failure no name
    // exists without its content. Throws std::system_error.
    static void to_disk(const std::string& path);
    // Limits the total size of objects, of binaries and of scripts, and deletes the least recently
    // used ones. A binary is kept if it is younger than a day, runs, or has another hard link,
    // which its user makes.
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
