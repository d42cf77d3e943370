// Runs a fuzz target without a fuzzer: on every file of a folder, cut short everywhere, and with bytes changed at
// random. Takes the folder.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace {

constexpr int changes_per_file = 2000;
constexpr std::size_t most_cuts = 500;

void run(std::string const& bytes) {
  // A copy of just this size, so that sanitizers see what reads beyond it.
  std::vector<std::uint8_t> const data(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(data.data(), data.size());
}

std::string changed(std::string bytes, std::mt19937& engine) {
  auto const any = [&](std::size_t below) {
    return static_cast<std::size_t>(engine() % std::max<std::size_t>(below, 1));
  };
  for (auto left = any(4) + 1; left > 0; --left) {
    std::size_t const at = any(bytes.size() + 1), length = any(8) + 1;
    switch (any(4)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << any(8)));
      break;
    case 1:
      bytes.insert(at, length, static_cast<char>(engine()));
      break;
    case 2:
      bytes.erase(at, length);
      break;
    default:
      bytes.insert(at, bytes.substr(any(bytes.size()), 4 * length));
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (auto const& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (auto const& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::string const bytes{std::istreambuf_iterator<char>(file), {}};
    std::printf("%s: %zu bytes\n", path.filename().c_str(), bytes.size());
    std::fflush(stdout);
    std::mt19937 engine(static_cast<unsigned>(bytes.size()));
    run(bytes);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / most_cuts) run(bytes.substr(0, size));
    for (int i = 0; i < changes_per_file; ++i) run(changed(bytes, engine));
  }
  return files.empty();
}
