/**
 * Space for contents of variable length in the global heap. Start at {@link HeapSpace}. The module
 * hdf5 stores strings and sequences here before it writes the elements; a flush removes contents
 * without references.
 */
package io.skerry.collective.heap;
