#!/usr/bin/env bash
# Builds a listening test on a cluster: a Slurm array of parts, then their merge.
#
#   sbatch --array=1-16 Examples/listening/slurm.sh design.json parts
#   aurient listen merge parts/* -o test       # when all have ended
#
# The folders must be on a disk that all machines share. A part that was ended by its time limit goes on
# where it was when it is submitted again.
#SBATCH --job-name=listen
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
set -euo pipefail
design=$1 parts=$2
mkdir -p "$parts"
aurient listen build "$design" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" -o "$parts/$SLURM_ARRAY_TASK_ID"
