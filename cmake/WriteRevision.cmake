# cmake -DSOURCE=<tree> -DVERSION=<x.y.z> -DOUTPUT=<version.cpp> -P WriteRevision.cmake
set(revision ${VERSION})
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} describe --tags --always --dirty --abbrev=10
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND described)
    set(revision ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#include <sparse/version.hpp>

char const* sparse::revision() { return \"${revision}\"; }
")
