#!/bin/sh
# Runs a compiler, and keeps what it says about OBJECT in OBJECT.warnings; no such file is left where it says nothing.
# `tools/build.sh` refuses a build with such files when CI asks for it.
object=
previous=
for argument in "$@"; do
  if [ "$previous" = -o ]; then object=$argument; fi
  previous=$argument
done
[ -n "$object" ] || exec "$@"
"$@" 2>"$object.warnings"
status=$?
if [ -s "$object.warnings" ]; then cat "$object.warnings" >&2; fi
if [ $status -ne 0 ] || [ ! -s "$object.warnings" ]; then rm -f "$object.warnings"; fi
exit $status
