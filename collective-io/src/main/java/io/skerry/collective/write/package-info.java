/**
 * Writes: collective, by a single rank, independent, in place, of whole chunks, and contiguous;
 * changes of the extent. Start at {@link CollectiveWriter}, which uses the packages {@code plan},
 * {@code owner} and {@code wire}.
 */
package io.skerry.collective.write;
