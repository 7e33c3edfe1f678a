/**
 * Compares Skerry with other libraries in one process, or with a process that keeps running:
 * reading and writing whole datasets, listing large groups (jHDF, the HDF5 library), writing and
 * finding sparse frames (h5py, TileDB), reading small boxes from chunks in memory (the HDF5
 * library, h5py), reading virtual datasets of many mappings (h5py), and inflating filtered data by
 * workers (zlib alone). Ratios are comparable on one machine and in one run only; no test depends
 * on them. Built only with {@code -Ppeers}, which adds the other libraries. Start at {@link
 * io.skerry.peers.Peers}; {@code ./skerry bench files}, {@code sparse}, {@code small}, {@code
 * virtual} and {@code workers} run it.
 */
package io.skerry.peers;
