/**
 * The two filters of the HDF5 library that keep only the bits that numbers need: nbit and
 * scale-offset. Both store one stream of bits, highest bit first. Not here: how client data reach
 * the file. Start at {@code NbitFilter} and {@code ScaleOffsetFilter}.
 */
package io.skerry.chunk.filter.packed;
