/**
 * Szip: the extended Rice coding of CCSDS 121.0-B, in the frame that HDF5 gives it. Not here: how
 * client data reach the file. Start at {@code SzipFilter}; {@code RiceDecoder} and {@code
 * RiceEncoder} are the coder proper.
 */
package io.skerry.chunk.filter.szip;
