/**
 * The HDF5 layer's description of its objects: datasets, the memory of a transfer, and the metadata
 * that a flush writes.
 */
package io.skerry.collective.dataset;
