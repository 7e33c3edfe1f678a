package io.skerry.mpi.internal.local;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One collective call: the data that each rank contributes. Guarded by the scheduler, except that
 * the parts of a rank that has arrived never change.
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
   * Adds a rank, unless its call differs from that of the first rank; then returns the difference.
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

  /** The part that {@code from} contributes for all ranks. */
  MemorySegment part(int from) {
    return parts[from][0];
  }

  /** The part that {@code from} contributes for {@code to}. */
  MemorySegment part(int from, int to) {
    return parts[from][to];
  }

  /** Returns the group that the ranks of this call form under a key; the first call creates it. */
  LocalGroup group(int key, Supplier<LocalGroup> maker) {
    return groups.computeIfAbsent(key, _ -> maker.get());
  }

  /** Records that a rank has completed the call; returns true for the last rank. */
  boolean leave() {
    return ++left == arrived.length;
  }
}
