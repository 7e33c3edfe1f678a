/**
 * Skerry beside jHDF and the HDF5 library in one process: whole datasets read and written, large
 * groups listed. Ratios of one run on one machine are for comparing, not a promise, and no test
 * depends on them. Built only with {@code -Ppeers}, which brings the other libraries along. Start
 * at {@link io.skerry.peers.FileBenchmark}; {@code ./skerry bench files} runs it.
 */
package io.skerry.peers;
