package io.skerry.collective.alloc;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.util.OptionalLong;

/**
 * Addresses for chunk images whose sizes only encoding told: collective late allocation. Each rank
 * takes what fits from its own free blocks; for the rest, one exclusive scan and one all-reduce of
 * a byte count tell it where its extent begins and where the file will end. No rank learns of
 * another's chunks.
 *
 * <p>Source: the 2018 sparse chunks design, sections 6.3.6 and 6.4.3, which asks for it and leaves
 * it open.
 *
 * @param addresses one per image
 * @param endOfFile first byte after everything, the same on all ranks
 */
public record Placement(long[] addresses, long endOfFile) {

  /**
   * Collective.
   *
   * @param sizes bytes of this rank's images
   * @param free this rank's free blocks; changed
   * @param endOfFile present end, the same on all ranks
   */
  public static Placement of(Communicator ranks, long[] sizes, FreeBlocks free, long endOfFile) {
    long[] addresses = new long[sizes.length];
    boolean[] placed = new boolean[sizes.length];
    long atEnd = 0;
    for (int i = 0; i < sizes.length; i++) {
      OptionalLong reused = free.take(sizes[i]);
      if (reused.isPresent()) {
        addresses[i] = reused.getAsLong();
        placed[i] = true;
      } else {
        atEnd += sizes[i];
      }
    }
    long at = endOfFile + ranks.exclusiveScan(atEnd, Reduction.SUM);
    long newEnd = endOfFile + ranks.allReduce(atEnd, Reduction.SUM);
    for (int i = 0; i < sizes.length; i++) {
      if (!placed[i]) {
        addresses[i] = at;
        at += sizes[i];
      }
    }
    return new Placement(addresses, newEnd);
  }
}
