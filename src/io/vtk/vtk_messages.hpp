#pragma once
/// Collects what VTK would print.

#include <algorithm>
#include <string>

#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>
#include <vtkStringOutputWindow.h>

namespace sparse::io {

/// Collects the messages of all VTK objects while it lives. Nothing goes to the terminal. Readers need it, because
/// `VtkErrors` does not see their inner objects. VTK has one output per program, so only one thread may use this.
class VtkMessages {
public:
  VtkMessages()
      : window_before_(vtkOutputWindow::GetInstance()), level_before_(vtkLogger::GetCurrentVerbosityCutoff()) {
    vtkOutputWindow::SetInstance(window_);
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
  }
  ~VtkMessages() {
    vtkOutputWindow::SetInstance(window_before_);
    vtkLogger::SetStderrVerbosity(level_before_);
  }
  VtkMessages(VtkMessages const&) = delete;
  VtkMessages& operator=(VtkMessages const&) = delete;

  /// All messages in one line, without the names of VTK's objects and sources. Empty if there were none.
  std::string text() const {
    std::string const all = window_->GetOutput();
    std::string line;
    for (std::size_t at = 0; at < all.size();) {
      std::size_t const end = std::min(all.find('\n', at), all.size());
      std::string part = all.substr(at, end - at);
      at = end + 1;
      if (part.rfind("ERROR: In ", 0) == 0 || part.rfind("Warning: In ", 0) == 0) continue;
      if (part.rfind("vtk", 0) == 0 && part.find("): ") != std::string::npos) part.erase(0, part.find("): ") + 3);
      part.erase(0, part.find_first_not_of(" \t\r"));
      if (part.empty()) continue;
      if (!line.empty()) line += "; ";
      line += part;
    }
    return line;
  }

private:
  vtkSmartPointer<vtkOutputWindow> window_before_;
  vtkLogger::Verbosity level_before_;
  vtkNew<vtkStringOutputWindow> window_;
};

}  // namespace sparse::io
