package io.skerry.mpi.internal.local;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One collective call: the data that each rank contributes. Guarded by the lock of the scheduler;
 * only the parts of ranks that have arrived may be read without the lock, since these parts never
 * change.
 */
final class CollectiveRound {
  private final CallSignature signature;
  private final int firstRank;
  private final MemorySegment[][] parts;
  private final boolean[] arrived;
  private final Map<Integer, LocalGroup> groups = new HashMap<>();
  private int left;

  CollectiveRound(CallSignature signature, int firstRank, int size) {
    this.signature = signature;
    this.firstRank = firstRank;
    this.parts = new MemorySegment[size][];
    this.arrived = new boolean[size];
  }

  /**
   * Adds the contribution of a rank, unless its call differs from that of the rank that began the
   * round.
   *
   * @return a description of the difference; empty if the contribution was added
   */
  Optional<String> join(int rank, CallSignature other, MemorySegment... contribution) {
    if (!signature.equals(other)) {
      return Optional.of(
          "ranks disagree: rank %d %s, rank %d %s"
              .formatted(
                  firstRank, shown(signature, parts[firstRank]), rank, shown(other, contribution)));
    }
    parts[rank] = contribution;
    arrived[rank] = true;
    return Optional.empty();
  }

  private static String shown(CallSignature signature, MemorySegment... contribution) {
    return signature.operation().equals(LocalCommunicator.BEGIN)
        ? new String(contribution[1].toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)
        : "calls " + signature;
  }

  boolean has(int rank) {
    return arrived[rank];
  }

  /** Returns whether all ranks below {@code end} have arrived. */
  boolean hasAllBelow(int end) {
    for (int rank = 0; rank < end; rank++) {
      if (!arrived[rank]) {
        return false;
      }
    }
    return true;
  }

  boolean hasAll() {
    return hasAllBelow(arrived.length);
  }

  /** Returns the part that rank {@code from} contributes for all ranks. */
  MemorySegment part(int from) {
    return parts[from][0];
  }

  /**
   * Returns the part with index {@code to} that rank {@code from} contributes. In an all-to-all
   * exchange or a scatter, this is the part for rank {@code to}. In a comparison of calls, part 1
   * is a text that describes the call that rank {@code from} has begun.
   */
  MemorySegment part(int from, int to) {
    return parts[from][to];
  }

  /**
   * Returns the new group of the ranks that pass the given key, such as the color of a split. The
   * first of these ranks creates the group.
   */
  LocalGroup group(int key, Supplier<LocalGroup> maker) {
    return groups.computeIfAbsent(key, _ -> maker.get());
  }

  /** Records that a rank has completed the call; returns whether it is the last rank. */
  boolean leave() {
    return ++left == arrived.length;
  }
}
