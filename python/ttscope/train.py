"""Training on the simulated device: gradients, layers and optimizers, as tt-train keeps and frees their memory."""
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import sim
from ._core import train as _train
from ._core.train import *  # noqa: F401,F403
from ._core.train import Tensor, add_node, enable_gradients, gradients_enabled, name_parameter

__all__ = [name for name in dir(_train) if not name.startswith("_")] + ["Function", "Module", "no_gradients"]


def joined_name(module: str, inner: str) -> str:
    """The name of what `inner` names, seen from outside: `mlp` and `w1/weight` are `mlp.w1/weight`."""
    return f"{module}.{inner}" if "/" in inner else f"{module}/{inner}"


def _inner_parts(value: Any) -> List[Tuple[str, Any]]:
    """What a list, tuple or dict holds, with the names of the places."""
    if isinstance(value, (list, tuple)):
        return [(str(index), part) for index, part in enumerate(value)]
    if isinstance(value, Mapping):
        return [(str(key), part) for key, part in value.items()]
    return []


def _parameters_of(value: Any) -> Dict[str, Tensor]:
    """Those inside of a value by their names seen from it; "" for a parameter itself."""
    if isinstance(value, Tensor):
        return {"": value}
    if hasattr(value, "parameters"):
        return dict(value.parameters())
    found: Dict[str, Tensor] = {}
    for name, part in _inner_parts(value):
        for inner, parameter in _parameters_of(part).items():
            found[joined_name(name, inner) if inner else name] = parameter
    return found


class Module:
    """A layer made of others: parameters() finds those of its attributes, and of lists, tuples and dicts of layers, under
    names like `layers.0.mlp.w1/weight`. A model that is complete names its memory by name_memory(), for captures."""

    def parameters(self) -> Dict[str, Tensor]:
        found: Dict[str, Tensor] = {}
        for name, value in vars(self).items():
            for inner, parameter in _parameters_of(value).items():
                found[joined_name(name, inner) if inner else name] = parameter
        return found

    def parameter_count(self) -> int:
        """Values of all parameters, without padding; tied ones once."""
        total = 0
        for parameter in {id(each): each for each in self.parameters().values()}.values():
            volume = 1
            for size in parameter.shape:
                volume *= size
            total += volume
        return total

    def name_memory(self) -> None:
        """Captures call the memory of the parameters by their names from here on."""
        for name, parameter in self.parameters().items():
            name_parameter(parameter, name)


class Function:
    """An operation with a gradient of its own. A subclass gives both passes, on tensors of ttscope.sim:

        class Square(train.Function):
            @staticmethod
            def forward(context, x):
                context.save(x)
                return sim.multiply(x, x)

            @staticmethod
            def backward(context, gradient):
                (x,) = context.saved
                return sim.multiply(gradient, x)

        y = Square.apply(x)

    What forward saves is kept until the backward pass has used it. backward returns a gradient for each input, or None;
    one alone where there is one input.
    """

    class Context:
        """What the two passes share."""

        def __init__(self) -> None:
            self.saved: Tuple[sim.Tensor, ...] = ()

        def save(self, *tensors: sim.Tensor) -> None:
            self.saved = tensors

    @staticmethod
    def forward(context: "Function.Context", *inputs: Any) -> sim.Tensor:
        raise NotImplementedError

    @staticmethod
    def backward(context: "Function.Context", gradient: sim.Tensor) -> Union[sim.Tensor, None, Sequence[Optional[sim.Tensor]]]:
        raise NotImplementedError

    @classmethod
    def apply(cls, *inputs: Tensor) -> Tensor:
        context = cls.Context()
        output = Tensor(cls.forward(context, *(each.value for each in inputs)))

        def give_back() -> None:
            incoming = output.grad
            if incoming is None:
                return
            given = cls.backward(context, incoming)
            context.saved = ()
            gradients: Sequence[Optional[sim.Tensor]] = (given,) if given is None or isinstance(given, sim.Tensor) else given
            if len(gradients) != len(inputs):
                raise ValueError(f"{cls.__name__}.backward gave {len(gradients)} gradients for {len(inputs)} inputs")
            for each, gradient in zip(inputs, gradients):
                if gradient is not None:
                    each.add_grad(gradient)

        add_node(output, give_back, list(inputs))
        return output


@contextmanager
def no_gradients() -> Iterator[None]:
    """Nothing is kept for a backward pass inside."""
    before = gradients_enabled()
    enable_gradients(False)
    try:
        yield
    finally:
        enable_gradients(before)
