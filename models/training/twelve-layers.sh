#!/usr/bin/env bash
# Twelve layers on everything: what is packed here trains on a machine with a GPU, and what comes back is measured here on the gates.
#   twelve-layers.sh pack FOLDER    the stages before the training, and FOLDER/twelve.tar.xz with what it reads
#   twelve-layers.sh train FOLDER   there: trains, and writes FOLDER/export. 6,000 steps of 32,768 tokens; it goes on from its checkpoint
#   twelve-layers.sh gates FOLDER   here again
# DATA: the data folder, where it is not that of the parameters.
set -euo pipefail
command=$1 folder=$(realpath "$2")
cd "$(dirname "$0")"
stage() { python -m parapet_training "$1" --params params.twelve.yaml --work "$folder/work" ${DATA:+--data "$DATA"}; }
case $command in
  pack)
    for name in data segments vocabulary teachers; do stage "$name"; done
    tar -C "$folder/work" -cJf "$folder/twelve.tar.xz" vocabulary teachers
    ;;
  train)
    mkdir -p "$folder/work"
    tar -C "$folder/work" -xJf "$folder/twelve.tar.xz"
    stage student
    stage export
    cp -r "$folder/work/export" "$folder/export"
    ;;
  gates)
    rm -rf "$folder/work/export" && cp -r "$folder/export" "$folder/work/export"
    stage gates
    ;;
  *)
    sed -n 2,6p "$0" >&2
    exit 2
    ;;
esac
