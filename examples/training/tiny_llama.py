"""Trains TinyLlama on the simulated device: tiny_llama.py --track_memory --no_dispatch [--recompute]"""
import sys

from models import TINY_LLAMA, Llama
from training_loop import run_training

sys.exit(run_training(TINY_LLAMA, Llama))
