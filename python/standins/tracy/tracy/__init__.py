"""Marks for programs that run under `ttscope trace` or `python -m tracy`, where tt-metal's own module is absent.

    from tracy import signpost, Profiler
    signpost("Warmup Start")
    profiler = Profiler()
    profiler.enable(); work(); profiler.disable()
"""
from ._marks import frame_mark, signpost, tracy_message, start_tracy_zone, stop_tracy_zone
from ._calls import Profiler

__all__ = ["Profiler", "frame_mark", "signpost", "start_tracy_zone", "stop_tracy_zone", "tracy_message"]
