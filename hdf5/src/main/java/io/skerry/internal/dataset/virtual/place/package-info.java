/**
 * Positions of elements: in a virtual dataset, in a mapping, and in the buffer of a read. Start at
 * {@link io.skerry.internal.dataset.virtual.place.Piece}. Local and immutable.
 */
package io.skerry.internal.dataset.virtual.place;
