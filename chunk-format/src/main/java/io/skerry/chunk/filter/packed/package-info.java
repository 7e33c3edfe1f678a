/**
 * The nbit and scale-offset filters of the HDF5 library, which store only the significant bits of
 * numbers. Both write one stream of bits, highest bit first. Start at {@link NbitFilter} and {@link
 * ScaleOffsetFilter}. The filter pipeline stores the client data.
 */
package io.skerry.chunk.filter.packed;
