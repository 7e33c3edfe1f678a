package io.skerry.chunk.space;

import java.util.Optional;

/**
 * A dataspace and what is selected in it.
 *
 * @param extent the extent; empty for a null dataspace, which has no elements at all
 * @param selection what is selected
 */
public record SelectedSpace(Optional<Shape> extent, Selection selection) {}
