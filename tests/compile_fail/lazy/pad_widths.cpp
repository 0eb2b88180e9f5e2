// error: widths beside arrays are a constant, as in pad(x, constant<1>), pad(x, constant<pad_width(0, 2)>) or pad(x, constant<pad_widths{{1, 1}, {0, 2}}>)
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a(2, 3), y;
#ifdef CROTON_TEST_OK
    y = pad(a, constant<pad_widths{{1, 1}, {0, 2}}>);
    y = pad(a + 1, constant<pad_width(1, 1)>);
#else
    y = pad(a, {{1, 1}, {0, 2}});
#endif
}
