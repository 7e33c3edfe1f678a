/**
 * Reads, writes and resizes one dataset of an HDF5 file, whatever its layout. Start at {@link
 * io.skerry.internal.dataset.NativeDataset}; {@code DatasetReader}, {@link
 * io.skerry.internal.dataset.DatasetWriter} and {@code ChunkEditor} do its work.
 */
package io.skerry.internal.dataset;
