/**
 * Manages the space of variable-length contents in the global heap. Start at {@link HeapSpace}. The
 * module {@code hdf5} stores strings and sequences in the heap before it writes the elements that
 * refer to them. A flush removes contents without references.
 */
package io.skerry.collective.heap;
