/**
 * The nbit and scale-offset filters of the HDF5 library, which pack numbers into a stream of bits,
 * highest bit first. Start at {@link NbitFilter} and {@link ScaleOffsetFilter}.
 */
package io.skerry.chunk.filter.packed;
