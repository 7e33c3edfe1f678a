package io.skerry.chunk.dataspace.encoding;

import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Optional;

/**
 * A dataspace and a selection in it.
 *
 * @param extent the extent; empty for a null dataspace, which has no elements
 * @param selection the selection
 */
public record SelectedDataspace(Optional<Shape> extent, Selection selection) {}
