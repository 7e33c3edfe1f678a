/**
 * Manages the space of variable-length contents in the global heap: strings, sequences and other
 * values that are stored outside the elements that refer to them. Start at {@link HeapSpace}. The
 * module {@code hdf5} stores contents in the heap before it writes the elements that refer to them.
 * A flush removes contents to which no element refers any longer.
 */
package io.skerry.collective.heap;
