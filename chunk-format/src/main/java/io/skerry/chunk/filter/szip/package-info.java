/**
 * The szip filter: extended Rice coding (CCSDS 121.0-B), preceded by the decoded size as in the
 * HDF5 library. Start at {@link SzipFilter}; {@link RiceDecoder} and {@link RiceEncoder} implement
 * the coding itself.
 */
package io.skerry.chunk.filter.szip;
