#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds every GPU test, benchmark and example and packs them with a script that runs them, for another x86-64 machine.
#   pack.sh [archive]        default: build/croton-cuda.tar.gz
# There: tar xzf croton-cuda.tar.gz && croton-cuda/run.sh. It needs an NVIDIA driver and libcublas and libcusolver of the same major version.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
archive=${1:-$root/build/croton-cuda.tar.gz}
mkdir -p "$(dirname "$archive")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bash "$root/tests/cuda/build.sh" "$folder/croton-cuda"
rm -rf "$folder/croton-cuda/objects"
cp "$root/tests/cuda/run.sh" "$root/bench/cuda_peers.py" "$folder/croton-cuda"
chmod +x "$folder/croton-cuda/run.sh"
git -C "$root" rev-parse HEAD >"$folder/croton-cuda/commit" 2>/dev/null || true
tar -C "$folder" -czf "$archive" croton-cuda
echo "$archive: $(du -h "$archive" | cut -f 1), $(tar -tzf "$archive" | grep -c '/\(test\|bench\|example\)_') programs"
