package io.skerry.chunk.dataspace.encoding;

import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Optional;

/**
 * A dataspace and what is selected in it.
 *
 * @param extent the extent; empty for a null dataspace, which has no elements at all
 * @param selection what is selected
 */
public record SelectedDataspace(Optional<Shape> extent, Selection selection) {}
