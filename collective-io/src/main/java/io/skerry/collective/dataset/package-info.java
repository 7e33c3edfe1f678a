/**
 * Defines the objects that the module {@code hdf5} passes to this module: datasets, the memory of a
 * transfer, and the metadata that a flush writes. Start at {@link ChunkedDataset}.
 */
package io.skerry.collective.dataset;
