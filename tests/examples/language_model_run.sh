#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# language_model_run.sh <16_language_model>: after 120 steps of the 1500 that it takes by itself.
. "$(dirname "${BASH_SOURCE[0]}")/learning.sh"
learns "$1" 120 3.2
