# Sets STREAM_ZC_IREE_LIB_FOUND to the path of libIREECompiler.so: STREAM_ZC_IREE_LIB if given, else the library of the
# iree-base-compiler package in .venv, in an active virtual environment, or of python3, in this order; else empty (the tool
# then looks for it when it starts).
set(STREAM_ZC_IREE_LIB_FOUND "${STREAM_ZC_IREE_LIB}")
if(NOT STREAM_ZC_IREE_LIB_FOUND)
  foreach(python ${CMAKE_SOURCE_DIR}/.venv/bin/python3 $ENV{VIRTUAL_ENV}/bin/python3 python3)
    execute_process(
      COMMAND ${python} -c "import iree.compiler, os; print(os.path.join(list(iree.compiler.__path__)[0], '_mlir_libs', 'libIREECompiler.so'))"
      OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND EXISTS "${found}")
      set(STREAM_ZC_IREE_LIB_FOUND "${found}")
      break()
    endif()
  endforeach()
endif()
if(STREAM_ZC_IREE_LIB_FOUND)
  message(STATUS "IREE compiler library: ${STREAM_ZC_IREE_LIB_FOUND}")
else()
  message(STATUS "IREE compiler library: not found; run scripts/setup.sh or set STREAM_ZC_IREE_LIB")
endif()
