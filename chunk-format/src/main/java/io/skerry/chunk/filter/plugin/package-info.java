/**
 * Registered filters that are not part of the HDF5 library. Most are containers for blocks that the
 * compressors in {@code io.skerry.chunk.filter.codec} produce. Start at {@link Lz4Filter}.
 */
package io.skerry.chunk.filter.plugin;
