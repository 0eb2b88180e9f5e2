# SPDX-License-Identifier: MIT
"""The work of w8_call.cpp: what a call costs where there is nothing to do."""
from compare import Table, finish, np, uniform

Table("W8 call: x + 1 of one float32 (aim: call_into below 100 ns)").everybody([uniform(0, 1, 1)], 1e-6, *[lambda x: x + np.float32(1)] * 4)
finish(others="what is measured is croton's own profiler and recorder")
