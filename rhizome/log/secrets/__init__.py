"""What a secret looks like: kinds with a mark of their own, and values that are secret by what stands before them."""
