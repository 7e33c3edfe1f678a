/**
 * Writes: collective, by a single rank, independent, in place, whole chunks, contiguous; changes of
 * extent.
 */
package io.skerry.collective.write;
