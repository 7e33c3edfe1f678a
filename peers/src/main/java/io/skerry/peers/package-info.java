/**
 * Skerry beside other libraries in one process, or beside one that stays alive: whole datasets read
 * and written, large groups listed (jHDF, the HDF5 library), frames of few kept pixels written and
 * found again (h5py, TileDB), small boxes read out of chunks in memory (the HDF5 library, h5py),
 * filtered data inflated by workers (zlib alone). Ratios of one run on one machine are for
 * comparing, not a promise, and no test depends on them. Built only with {@code -Ppeers}, which
 * brings the other libraries along. Start at {@link io.skerry.peers.Peers}; {@code ./skerry bench
 * files}, {@code sparse}, {@code small} and {@code workers} run it.
 */
package io.skerry.peers;
