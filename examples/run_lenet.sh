#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same as run_mnist.sh for LeNet-5.
#   run_lenet.sh [arguments of the example]
EXAMPLE=11_lenet exec "$(dirname "${BASH_SOURCE[0]}")/run_mnist.sh" "$@"
