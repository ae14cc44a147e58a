"""Where a result comes from: RO-Crate, bills of materials, and a bundle with which it can be had again."""
