"""Patchwork: maps grown grid by grid, with every way of joining them."""

from wavefold.patchwork.joins import Join
from wavefold.patchwork.orders import build_order
from wavefold.patchwork.patchwork import Patchwork
from wavefold.patchwork.report import GridReport, PatchworkReport
from wavefold.patchwork.retries import Retries

__all__ = ["GridReport", "Join", "Patchwork", "PatchworkReport", "Retries", "build_order"]
