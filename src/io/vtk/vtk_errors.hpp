#pragma once
/// VTK's error messages, caught instead of printed.

#include <string>

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkNew.h>
#include <vtkObject.h>

namespace sparse::io {

/// Collects the messages of a VTK object while it lives. Nothing goes to the terminal.
class VtkErrors {
public:
  explicit VtkErrors(vtkObject& watched) : watched_(watched) {
    callback_->SetClientData(&text_);
    callback_->SetCallback([](vtkObject*, unsigned long, void* text, void* message) {
      if (message) static_cast<std::string*>(text)->append(static_cast<char const*>(message));
    });
    watched.AddObserver(vtkCommand::ErrorEvent, callback_);
    watched.AddObserver(vtkCommand::WarningEvent, callback_);
  }
  ~VtkErrors() { watched_.RemoveObserver(callback_); }
  VtkErrors(VtkErrors const&) = delete;
  VtkErrors& operator=(VtkErrors const&) = delete;

  /// The messages, empty if there were none.
  std::string const& text() const { return text_; }

private:
  vtkObject& watched_;
  vtkNew<vtkCallbackCommand> callback_;
  std::string text_;
};

}  // namespace sparse::io
