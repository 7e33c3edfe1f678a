/**
 * Manages the space of variable-length data in the global heap: strings, sequences and other values
 * that are stored outside the elements that refer to them. Start at {@link HeapSpace}. The module
 * {@code hdf5} stores data in the heap before it writes the elements that refer to it. A flush
 * removes data to which no element refers any longer.
 */
package io.skerry.collective.heap;
