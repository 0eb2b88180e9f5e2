// error: scores compare class numbers with labels one by one, in arrays of as many axes; of logits take argmax<-1>(x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](matrix<float> logits, vector<int> labels) { return f1_score<3>(argmax<-1>(logits), labels); });
#else
    auto f = function<cpu>([](matrix<int> logits, vector<int> labels) { return f1_score<3>(logits, labels); });
#endif
}
