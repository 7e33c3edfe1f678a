/**
 * The szip filter: extended Rice coding (CCSDS 121.0-B) in the frame that HDF5 defines. Start at
 * {@link SzipFilter}; {@link RiceDecoder} and {@link RiceEncoder} are the coder itself. The filter
 * pipeline stores the client data.
 */
package io.skerry.chunk.filter.szip;
