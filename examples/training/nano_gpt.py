"""Trains nano-GPT on the simulated device: nano_gpt.py --track_memory --batch 64"""
import sys

from models import NANO_GPT, Gpt
from training_loop import run_training

sys.exit(run_training(NANO_GPT, Gpt))
