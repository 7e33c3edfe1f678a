/**
 * The registered filters that people use and the HDF5 library does not bring: each a container of
 * our own around block compressors. Not here: the compressors ({@code codec}). Start at {@code
 * Lz4Filter}, the simplest.
 */
package io.skerry.chunk.filter.plugin;
