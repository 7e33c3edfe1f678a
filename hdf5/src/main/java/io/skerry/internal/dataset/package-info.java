/**
 * Opens, reads, writes and resizes one dataset of an HDF5 file, whatever its layout. Start at
 * {@link io.skerry.internal.dataset.NativeDataset}; {@code DatasetReader} and {@link
 * io.skerry.internal.dataset.DatasetWriter} do its work.
 */
package io.skerry.internal.dataset;
