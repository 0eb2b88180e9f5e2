// SPDX-License-Identifier: MIT
// The exceptions croton throws. A call that throws has changed nothing.
#ifndef CROTON_CORE_ERROR_HPP
#define CROTON_CORE_ERROR_HPP

#include <stdexcept>

namespace croton::inline v0_1 {

/// The sizes of arguments, views or outputs do not fit together; the text names the argument, the axis and both sizes.
struct shape_error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// A value is outside of what the function is defined for, such as a class label that names no class.
struct value_error : std::domain_error {
    using std::domain_error::domain_error;
};

/// A file is missing, cut short, or not what its name says.
struct file_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A device or one of its libraries failed; the text names the step.
struct device_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace croton::inline v0_1

#endif
