"""Trains nano-GPT on the simulated device: nano_gpt.py --track_memory --batch 64"""
import sys

from models import nano_gpt
from training_loop import train_with_options

sys.exit(train_with_options(nano_gpt()))
