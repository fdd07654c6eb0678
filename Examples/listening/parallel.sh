#!/usr/bin/env bash
# Builds a listening test in parts by GNU parallel, and merges them.
#
#   Examples/listening/parallel.sh design.json test [PARTS] [PARALLEL'S OPTIONS...]
#
# `--sshloginfile hosts` as an option spreads the parts over machines that share the disk and have aurient.
set -euo pipefail
design=$1 test=$2 count=${3:-4}
shift $(($# < 3 ? $# : 3))
parts=$test.parts
mkdir -p "$parts"
seq "$count" | parallel --halt now,fail=1 "$@" \
  aurient listen build "$design" --shard "{}/$count" --jobs 1 -o "$parts/{}"
aurient listen merge "$parts"/* -o "$test"
rm -r "$parts"
