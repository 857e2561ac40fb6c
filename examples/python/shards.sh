#!/usr/bin/env bash
# A run in shards, as GNU parallel or a batch system would play them: each is a command of its own, on any machine that has
# `ludoteca` and sees the folder. Shards that failed are played again by the same line; `report` joins what is there.
#
#     examples/python/shards.sh alta-tension 4000 8 runs --players 4 --bots greedy
#
# On a batch system the loop is the array of jobs: `ludoteca sim .. --shard $SLURM_ARRAY_TASK_ID/8 --out runs/$SLURM_ARRAY_TASK_ID.parquet --resume`.
set -eu
game=$1 games=$2 shards=$3 out=$4
shift 4
ludoteca=${LUDOTECA_COMMAND:-ludoteca}
mkdir -p "$out"
shard() { echo "'$ludoteca' sim '$game' -n $games $* --jobs 1 --shard $i/$shards --out '$out/$i.parquet' --resume >/dev/null"; }
lines=$(for i in $(seq "$shards"); do shard "$@"; done)
if command -v parallel >/dev/null; then
    echo "$lines" | parallel --halt soon,fail=1
else
    echo "$lines" | xargs -P "$(nproc)" -I{} sh -c '{}'
fi
"$ludoteca" report "$out"/*.parquet
