"""The Python side of kernels: loads the library, and prepares and interrupts its work. Not compiled."""
