package io.skerry.internal.verify;

import io.skerry.format.message.SharedReference;
import io.skerry.spi.ObjectPath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The objects that a walk must still visit, without duplicates: linked objects depth first, then
 * committed datatypes to which no link leads.
 */
final class ObjectQueue {
  private final Set<Long> seen = new HashSet<>();
  private final Deque<Visit> linked = new ArrayDeque<>();
  private final Deque<Visit> unlinked = new ArrayDeque<>();

  /**
   * An object to visit.
   *
   * @param address the address of its header
   */
  record Visit(long address, ObjectPath path) {
    Findings.Place as(String structure) {
      return new Findings.Place(address, structure, path);
    }
  }

  /** Creates a queue that begins with the root group. */
  ObjectQueue(long rootAddress) {
    linked.push(new Visit(rootAddress, ObjectPath.ROOT));
  }

  /** Removes and returns the next object; empty if all objects were visited. */
  Optional<Visit> next() {
    while (!linked.isEmpty() || !unlinked.isEmpty()) {
      Visit next = linked.isEmpty() ? unlinked.poll() : linked.pop();
      if (seen.add(next.address)) {
        return Optional.of(next);
      }
    }
    return Optional.empty();
  }

  /** Returns the number of objects that {@link #next} has returned. */
  long visited() {
    return seen.size();
  }

  /** Adds the members of a group, which are visited next, in the given order. */
  void addMembers(List<Visit> members) {
    members.reversed().forEach(linked::push);
  }

  /**
   * Adds the committed datatype that an object shares, which need not have a link; does nothing if
   * the reference is not to a committed datatype.
   */
  void addType(SharedReference reference, Visit object) {
    if (reference instanceof SharedReference.Committed(long address)) {
      unlinked.add(new Visit(address, object.path.annotated(" (its datatype)")));
    }
  }
}
