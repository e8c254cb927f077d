"""The Python side of kernels: loads the library, and works between calls. Nothing here is compiled."""
