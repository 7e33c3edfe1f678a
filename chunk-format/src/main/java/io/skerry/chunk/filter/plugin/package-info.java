/**
 * Registered filters that are not part of the HDF5 library. Some store a single compressed stream,
 * others a container of blocks. Most of them use the compressors in {@code
 * io.skerry.chunk.filter.codec}. Start at {@link Lz4Filter}.
 */
package io.skerry.chunk.filter.plugin;
