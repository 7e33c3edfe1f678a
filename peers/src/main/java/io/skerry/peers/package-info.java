/**
 * Compares Skerry with other libraries: reading and writing entire datasets and listing large
 * groups (jHDF, the HDF5 library), writing and finding sparse frames (h5py, TileDB), reading small
 * boxes from chunks in memory (the HDF5 library, h5py), reading virtual datasets with many mappings
 * (h5py, the parallel HDF5 library), writing and reading on several ranks (the parallel HDF5
 * library), inflating filtered data with several workers (zlib alone), and writing and reading
 * containers (RocksDB alone). Ratios are comparable only on one machine and within one run; no test
 * depends on them. Built only with {@code -Ppeers}, which adds the other libraries. Start at {@link
 * io.skerry.peers.Peers}; {@code ./skerry bench files}, {@code sparse}, {@code small}, {@code
 * virtual}, {@code iod}, {@code parallel} and {@code workers} run it.
 */
package io.skerry.peers;
