"""Trains TinyLlama on the simulated device: tiny_llama.py --track_memory --no_dispatch [--recompute]"""
import sys

from models import tiny_llama
from training_loop import train_with_options

sys.exit(train_with_options(tiny_llama()))
