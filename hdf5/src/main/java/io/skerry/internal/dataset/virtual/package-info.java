/**
 * Reads virtual datasets, whose elements are in other datasets. Start at {@link
 * io.skerry.internal.dataset.virtual.MappedContent}: {@code VirtualParts} finds the mappings that a
 * selection intersects, {@link io.skerry.internal.dataset.virtual.source.VirtualSources} opens
 * their sources, and {@code VirtualReader} reads them.
 */
package io.skerry.internal.dataset.virtual;
