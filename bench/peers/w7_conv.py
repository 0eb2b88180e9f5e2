# SPDX-License-Identifier: MIT
"""The work of w7_conv.cpp in PyTorch and JAX."""
from compare import Table, adam_of_jax, difference, finish, functional, jax, torch, uniform


def lenet():
    """The first table of w7_conv.cpp."""
    samples = 100
    image = torch.from_numpy(uniform(0, 1, samples, 1, 28, 28))
    label = torch.arange(samples) * 7 % 10
    nn = torch.nn
    net = nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))
    start = [p.detach().numpy().copy() for p in net.parameters()]

    def with_torch(optimizer, net=net):
        cost = functional.cross_entropy(net(image), label)
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()
        return cost

    plain, fused = (torch.optim.Adam(net.parameters(), lr=1e-3, fused=fused) for fused in (False, True))
    table = Table("W7 lenet: one training step of LeNet-5 with Adam, 100 images of 28 x 28, float32")
    table.row("PyTorch, autograd and optim.Adam", lambda: with_torch(plain))
    table.row("PyTorch, fused Adam", lambda: with_torch(fused))
    compiled = torch.compile(net)
    table.row("PyTorch, compiled, fused Adam", lambda: with_torch(fused, compiled))
    if jax:
        jnp, lax = jax.numpy, jax.lax
        x, of_x = jnp.asarray(image.numpy()), jnp.asarray(label.numpy())

        def cost_of(p):
            def layer(x, w, b, padding):
                y = lax.conv_general_dilated(x, w, (1, 1), [(padding, padding)] * 2, dimension_numbers=("NCHW", "OIHW", "NCHW"))
                return lax.reduce_window(jax.nn.relu(y + b[:, None, None]), -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")

            h = layer(layer(x, p[0], p[1], 2), p[2], p[3], 0).reshape(samples, -1)
            h = jax.nn.relu(jax.nn.relu(h @ p[4].T + p[5]) @ p[6].T + p[7]) @ p[8].T + p[9]
            return -jnp.mean(jax.nn.log_softmax(h)[jnp.arange(samples), of_x])

        @jax.jit
        def step(p, state):
            cost, gradients = jax.value_and_grad(cost_of)(p)
            return *adam_of_jax(p, gradients, state), cost

        parameters = [jnp.asarray(p) for p in start]
        state = (0, [jnp.zeros_like(p) for p in parameters], [jnp.zeros_like(p) for p in parameters])

        def with_jax():
            nonlocal parameters, state
            parameters, state, cost = step(parameters, state)
            return cost.block_until_ready()

        with torch.no_grad():
            expected = functional.cross_entropy(net(image), label)
        table.check("cost of step 1: JAX, PyTorch", difference([with_jax()], [expected.numpy()]), 1e-5)
        table.row("JAX, jit", with_jax)
    table.measure()


def convolutions():
    """The other tables of w7_conv.cpp."""
    def compare(what, x, w, padding, gradients):
        tx, tw = torch.from_numpy(x), torch.from_numpy(w)
        c = torch.from_numpy(uniform(-1, 1, *functional.conv2d(tx, tw, padding=padding).shape))

        def backward(mask):
            return torch.ops.aten.convolution_backward(c, tx, tw, None, (1, 1), (padding, padding), (1, 1), False, (0, 0), 1, mask)

        calls = [("forward", lambda: functional.conv2d(tx, tw, padding=padding), lambda x, w, c: forward(x, w))]
        if gradients:
            calls += [("gradient of the images", lambda: backward((True, False, False))[0],
                       lambda x, w, c: jax.vjp(lambda x: forward(x, w), x)[1](c)[0]),
                      ("gradient of the kernels", lambda: backward((False, True, False))[1],
                       lambda x, w, c: jax.vjp(lambda w: forward(x, w), w)[1](c)[0])]

        def forward(x, w):
            return jax.lax.conv_general_dilated(x, w, (1, 1), [(padding, padding)] * 2, dimension_numbers=("NCHW", "OIHW", "NCHW"))

        for name, of_torch, of_jax in calls:
            table = Table(f"{what}, {name}" if gradients else what)
            with torch.inference_mode():
                table.row("PyTorch", of_torch)
                if jax:
                    compiled, arguments = jax.jit(of_jax), [jax.numpy.asarray(a) for a in (x, w, c.numpy())]
                    table.check("JAX, PyTorch", difference([compiled(*arguments)], [of_torch().numpy()]), 1e-3)
                    table.row("JAX, jit", lambda compiled=compiled, arguments=arguments: compiled(*arguments).block_until_ready())
                table.measure()

    compare("W7 signals: 4 kernels of 1 x 128 over 4 signals of 255 numbers, float32", uniform(-1, 1, 4, 1, 1, 255),
            uniform(-1, 1, 4, 1, 1, 128), 0, False)
    for channels, extent in ((64, 56), (128, 28)):
        compare(f"W7 layer: {channels} kernels of 3 x 3 over 8 images of {channels} x {extent} x {extent}, padding 1, float32",
                uniform(-1, 1, 8, channels, extent, extent), uniform(-1, 1, channels, channels, 3, 3), 1, True)


if torch:
    lenet()
    convolutions()
finish(Eigen="it has no convolutions of channels", NumPy="it has no convolutions of channels", PyTorch_compiled="it would be the same call of oneDNN", PyTensor="it has no pooling and no convolutions of channels")
