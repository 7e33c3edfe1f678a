/**
 * Registered filters that are not part of the HDF5 library: each is a container around block
 * compressors of {@code io.skerry.chunk.filter.codec}. Start at {@link Lz4Filter}, the simplest.
 */
package io.skerry.chunk.filter.plugin;
