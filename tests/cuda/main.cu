// SPDX-License-Identifier: MIT
// The main of every test that needs a GPU. Without one the test has not passed: it says that it was skipped, with status 77.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cuda_runtime_api.h>

#include <cstdio>

int main(int argc, char** argv) {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        std::printf("skipped: no CUDA device (%s)\n", cudaGetErrorString(code));
        return 77;
    }
    return doctest::Context(argc, argv).run();
}
