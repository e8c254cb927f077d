"""Deprecated: `write_zarr` is in `wavefold.formats`."""

from wavefold.common.deprecation import module_aliases

__getattr__ = module_aliases("wavefold.world.arrays", {"write_zarr": "wavefold.formats:write_zarr"})
