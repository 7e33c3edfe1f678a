/**
 * Writes elements: collectively, by a single rank, independently, in place, as whole chunks, and to
 * contiguous datasets. Also changes the extents of datasets. Start at {@link CollectiveWriter},
 * which uses the packages {@code plan}, {@code owner} and {@code wire}.
 */
package io.skerry.collective.write;
