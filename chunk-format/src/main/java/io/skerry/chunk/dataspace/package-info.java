/**
 * Sets of elements: runs of row-major indices, trees of spans, and unions of boxes. Depends on no
 * other package.
 */
package io.skerry.chunk.dataspace;
