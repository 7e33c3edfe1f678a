/**
 * Reads datasets of any layout in an HDF5 file, and writes and resizes them if their layout permits
 * it. Start at {@link io.skerry.internal.dataset.NativeDataset}; it delegates to {@code
 * DatasetReader}, {@link io.skerry.internal.dataset.DatasetWriter} and {@code ChunkEditor}.
 */
package io.skerry.internal.dataset;
