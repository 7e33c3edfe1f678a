/**
 * Sets of elements: runs of row-major indices, trees of spans, and unions of boxes. Start at {@link
 * RunSet}. Selections and the chunk grid are built on these sets; this package depends on no other.
 */
package io.skerry.chunk.dataspace;
