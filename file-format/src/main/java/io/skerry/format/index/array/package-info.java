/**
 * The fixed array and extensible array chunk indexes. Start at {@link
 * io.skerry.format.index.array.FixedArrayIndex}, the simpler of the two.
 */
package io.skerry.format.index.array;
