package io.skerry.internal.dataset.through;

import java.util.List;

/**
 * The part of this rank in a change to elements of a virtual dataset.
 *
 * @param parts the elements to change in sources that exist
 * @param missing the sources to create before the change
 */
public record SourcePlan(List<SourcePart> parts, List<MissingSource> missing) {
  public SourcePlan {
    parts = List.copyOf(parts);
    missing = List.copyOf(missing);
  }
}
