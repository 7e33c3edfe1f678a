package io.skerry.collective.alloc;

import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Addresses for images whose sizes only encoding told: collective late allocation. A rank first
 * fills the holes that it alone knows of. For the rest every rank deals the holes of the file in
 * the same way, and one prefix sum tells each where its share begins: in the holes, and at the end
 * of the file, where all that one rank has is in one piece. No rank learns of another's images, and
 * what is told does not grow with the number of ranks.
 *
 * <p>Images are dealt by size, those of up to twice the length together, the long ones first, so
 * that short ones do not cut up what only a long one fills. All of a size go to the smallest hole
 * that takes them, else to the lowest ones. A hole may not be filled to the last byte, since the
 * image that would come next is too long; what is sure to be filled is counted, and what stays is
 * given back. When images replace older ones, half as much again, or a little more, is taken at the
 * end of the file, since the next ones may be a little larger: a dataset that is rewritten again
 * and again soon finds room.
 *
 * <p>Source: the 2018 sparse chunks design, sections 6.3.6 and 6.4.3, which asks for late
 * allocation and leaves it open.
 *
 * @param addresses one per image
 * @param unused what this rank was given and did not fill
 */
public record Placement(long[] addresses, List<Block> unused) {
  /** Bytes left free at least where images replace others: few and short ones vary most. */
  private static final long LEAST_SLACK = 1024;

  /** Groups of sizes, each from a power of two up to the next. */
  private static final int GROUPS = Long.SIZE - 1;

  /**
   * Collective.
   *
   * @param use which holes may be taken
   * @param sizes bytes of this rank's images, each at least 1
   * @param replaced bytes of older images that this rank's images take the place of
   * @param space the file's space, the same on all ranks but for holes of one alone; changed in the
   *     same way
   */
  public static Placement of(
      Communicator ranks,
      SpaceAllocator.Use use,
      long[] sizes,
      long replaced,
      SpaceAllocator space) {
    long[] addresses = new long[sizes.length];
    List<Integer> others = takeHere(use, sizes, space, addresses);
    Placement shared =
        ofShared(ranks, use, others.stream().mapToLong(i -> sizes[i]).toArray(), replaced, space);
    for (int i = 0; i < others.size(); i++) {
      addresses[others.get(i)] = shared.addresses[i];
    }
    return new Placement(addresses, shared.unused);
  }

  /** Places images in the holes of this rank alone, the long ones first; gives the others. */
  private static List<Integer> takeHere(
      SpaceAllocator.Use use, long[] sizes, SpaceAllocator space, long[] addresses) {
    if (space.freeBytesHere(use) == 0) {
      return IntStream.range(0, sizes.length).boxed().toList();
    }
    List<Integer> bySize =
        IntStream.range(0, sizes.length)
            .boxed()
            .sorted(Comparator.comparingLong((Integer i) -> -sizes[i]))
            .toList();
    List<Integer> others = new ArrayList<>();
    for (int i : bySize) {
      Optional<Block> hole = space.takeHere(use, sizes[i]);
      if (hole.isPresent()) {
        addresses[i] = hole.get().address();
      } else {
        others.add(i);
      }
    }
    others.sort(Comparator.naturalOrder());
    return others;
  }

  private static Placement ofShared(
      Communicator ranks,
      SpaceAllocator.Use use,
      long[] sizes,
      long replaced,
      SpaceAllocator space) {
    Needs needs = Needs.of(ranks, sizes, replaced);
    long before = space.freeBytes(use) + needs.replaced;
    Share share = new Share(sizes, needs);
    for (int group = GROUPS - 1; group >= 0; group--) {
      if (needs.total[group] > 0) {
        share.take(group, deal(space, use, needs, group));
      }
    }
    share.takeEnd(space.takeAtEnd(use, share.allAtEnd));
    long all = Arrays.stream(needs.total).sum();
    if (before >= all / 2) {
      long missing = needs.replaced > 0 ? all / 2 - space.freeBytes(use) - needs.replaced : 0;
      reserve(space, use, Math.max(share.allAtEnd / 2, missing), needs.longest());
    }
    return new Placement(share.addresses, share.unused);
  }

  /** Room for the next images, which may be larger or find the holes cut up. */
  private static void reserve(
      SpaceAllocator space, SpaceAllocator.Use use, long wanted, long largest) {
    if (wanted > 0) {
      long slack = Math.max(wanted, Math.max(LEAST_SLACK, largest));
      space.raiseEnd(space.endOfFile() + slack);
      space.free(use, new Block(space.endOfFile() - slack, slack));
    }
  }

  private static int group(long size) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(size);
  }

  /**
   * What all ranks have to place, by group of sizes.
   *
   * @param total bytes
   * @param below bytes of the ranks below this one
   * @param smallest bytes of the shortest image
   * @param largest bytes of the longest image
   * @param replaced bytes of older images whose places become free
   */
  private record Needs(long[] total, long[] below, long[] smallest, long[] largest, long replaced) {
    static Needs of(Communicator ranks, long[] sizes, long replaced) {
      long[] sums = new long[GROUPS + 1];
      // Both ends by one maximum: the smallest is the largest of the negative ones.
      long[] ends = new long[2 * GROUPS];
      Arrays.fill(ends, Long.MIN_VALUE);
      for (long size : sizes) {
        int group = group(size);
        sums[group] += size;
        ends[group] = Math.max(ends[group], size);
        ends[GROUPS + group] = Math.max(ends[GROUPS + group], -size);
      }
      sums[GROUPS] = replaced;
      long[] below = ranks.exclusiveScan(sums, Reduction.SUM);
      long[] total = ranks.allReduce(sums, Reduction.SUM);
      long[] agreed = ranks.allReduce(ends, Reduction.MAX);
      return new Needs(
          Arrays.copyOf(total, GROUPS),
          Arrays.copyOf(below, GROUPS),
          Arrays.stream(agreed, GROUPS, 2 * GROUPS).map(size -> -size).toArray(),
          Arrays.copyOf(agreed, GROUPS),
          total[GROUPS]);
    }

    long longest() {
      return Math.max(0, Arrays.stream(largest).max().orElse(0));
    }

    /** Bytes of a stretch that are sure to be filled, if there are images enough. */
    long sure(int group, long length) {
      // Of images of one length it is known; else the last that would not fit may leave a rest.
      return smallest[group] == largest[group]
          ? length / largest[group] * largest[group]
          : length - largest[group] + 1;
    }
  }

  /**
   * A stretch that was dealt to the images of a group.
   *
   * @param sure bytes that count as filled; the rest is slack
   */
  private record Stretch(Block block, long sure) {}

  /** The smallest hole that takes all, else the lowest ones until all are sure to fit. */
  private static List<Stretch> deal(
      SpaceAllocator space, SpaceAllocator.Use use, Needs needs, int group) {
    List<Block> holes = space.holes(use);
    long left = needs.total[group];
    Optional<Block> whole =
        holes.stream()
            .filter(hole -> hole.length() >= needs.total[group])
            .min(Comparator.comparingLong(Block::length).thenComparing(Block::address));
    List<Stretch> dealt = new ArrayList<>();
    for (Block hole : whole.map(List::of).orElse(holes)) {
      if (left <= 0) {
        break;
      }
      if (hole.length() >= left) {
        dealt.add(new Stretch(new Block(hole.address(), left), left));
        left = 0;
      } else if (hole.length() >= needs.largest[group]) {
        long sure = needs.sure(group, hole.length());
        dealt.add(new Stretch(hole, sure));
        left -= sure;
      }
    }
    dealt.forEach(stretch -> space.take(use, stretch.block));
    return dealt;
  }

  /**
   * What of it all falls to this rank. The images of a group, rank after rank, form a line as long
   * as their bytes; the stretches lie along it one after the other, each as long as it is sure to
   * be filled, and what is beyond the last comes to the end of the file.
   */
  private static final class Share {
    private final long[] sizes;
    private final Needs needs;
    private final long[] addresses;
    private final long[] mine = new long[GROUPS];
    private final List<Block> unused = new ArrayList<>();
    private final List<Integer> rest = new ArrayList<>();
    private final List<TreeMap<Long, List<Integer>>> bySize = new ArrayList<>();

    private long allAtEnd;
    private long belowAtEnd;
    private long mineAtEnd;

    Share(long[] sizes, Needs needs) {
      this.sizes = sizes;
      this.needs = needs;
      addresses = new long[sizes.length];
      for (int group = 0; group < GROUPS; group++) {
        bySize.add(new TreeMap<>(Comparator.reverseOrder()));
      }
      // Backwards, so that equal ones are taken in their order: they may stand so in memory.
      for (int i = sizes.length - 1; i >= 0; i--) {
        mine[group(sizes[i])] += sizes[i];
        bySize.get(group(sizes[i])).computeIfAbsent(sizes[i], _ -> new ArrayList<>()).add(i);
      }
    }

    /** Takes what falls to this rank of what was dealt to a group. */
    void take(int group, List<Stretch> dealt) {
      long from = needs.below[group];
      long to = from + mine[group];
      long at = 0;
      for (Stretch stretch : dealt) {
        long sureEnd = at + stretch.sure;
        if (from < to && from < sureEnd && to > at) {
          long start = stretch.block.address() + Math.max(0, from - at);
          // Whose part reaches the end of what is sure has the slack.
          long stop = to >= sureEnd ? stretch.block.end() : stretch.block.address() + (to - at);
          pack(bySize.get(group), new Block(start, stop - start));
        }
        at = sureEnd;
      }
      allAtEnd += Math.max(0, needs.total[group] - at);
      belowAtEnd += Math.max(0, from - at);
      mineAtEnd += Math.max(to, at) - Math.max(from, at);
      bySize.get(group).values().forEach(rest::addAll);
    }

    /** Fills a block with large images first. */
    private void pack(TreeMap<Long, List<Integer>> images, Block block) {
      long at = block.address();
      Map.Entry<Long, List<Integer>> next = images.ceilingEntry(block.length());
      while (next != null) {
        int image = next.getValue().removeLast();
        if (next.getValue().isEmpty()) {
          images.remove(next.getKey());
        }
        addresses[image] = at;
        at += sizes[image];
        next = images.ceilingEntry(block.end() - at);
      }
      if (at < block.end()) {
        unused.add(new Block(at, block.end() - at));
      }
    }

    /**
     * Places what found no hole, in its order.
     *
     * @param end where that of all ranks begins
     */
    void takeEnd(long end) {
      long at = end + belowAtEnd;
      long stop = at + mineAtEnd;
      rest.sort(Comparator.naturalOrder());
      for (int image : rest) {
        addresses[image] = at;
        at += sizes[image];
      }
      if (at < stop) {
        unused.add(new Block(at, stop - at));
      }
    }
  }
}
