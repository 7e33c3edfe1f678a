/**
 * Writes and erases elements, and changes the extents of datasets. Start at {@link
 * CollectiveWriter}, which uses the packages {@code plan}, {@code owner} and {@code wire}.
 */
package io.skerry.collective.write;
