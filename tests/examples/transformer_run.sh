#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# transformer_run.sh <17_transformer>: after 150 steps of the 3000 that it takes by itself.
. "$(dirname "${BASH_SOURCE[0]}")/learning.sh"
learns "$1" 150 3.2
