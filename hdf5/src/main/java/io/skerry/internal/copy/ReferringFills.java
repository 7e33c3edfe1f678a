package io.skerry.internal.copy;

import io.skerry.internal.copy.header.CopiedHeaders;
import io.skerry.internal.file.ObjectLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The fill values of copied datasets that contain references to objects. New headers store these
 * references as null, because the new addresses of the objects are not known yet. Local.
 */
final class ReferringFills {
  private record Fill(ObjectLocation from, long copy, Set<Long> targets) {}

  private final List<Fill> fills = new ArrayList<>();

  /**
   * Adds the fill value of a dataset.
   *
   * @param copy the address of the object header of the copy
   * @param targets the addresses of the objects to which the fill value refers
   */
  void add(ObjectLocation from, long copy, Set<Long> targets) {
    fills.add(new Fill(from, copy, targets));
  }

  /** Returns whether no fill value refers to an object. */
  boolean isEmpty() {
    return fills.isEmpty();
  }

  /** Returns the addresses of the objects to which the fill value of a dataset refers. */
  Set<Long> targets(ObjectLocation dataset) {
    Set<Long> found = new TreeSet<>();
    for (Fill fill : fills) {
      if (fill.from().equals(dataset)) {
        found.addAll(fill.targets());
      }
    }
    return found;
  }

  /** Stores the new references in the headers of the copies. */
  void store(CopiedHeaders headers, ReferenceRule rule) {
    for (Fill fill : fills) {
      headers.replaceFill(fill.from(), fill.copy(), rule.objects(fill.from().file()));
    }
  }
}
