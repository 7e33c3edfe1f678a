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
 * Assigns addresses to images whose sizes are unknown before they are encoded: collective late
 * allocation. Each rank first fills the holes that are recorded only on that rank. For the other
 * images, all ranks distribute the holes of the file in the same way. One prefix sum gives each
 * rank the start of its share, in the holes and at the end of the file, where the share of a rank
 * is contiguous. No rank receives information about individual images of another rank, and the size
 * of the messages does not depend on the number of ranks.
 *
 * <p>These other images are grouped by size; each group ranges from a power of two to the next.
 * Groups of large images are placed first, so that small images do not divide holes that large
 * images could fill. All images of a group are placed in the smallest hole that is large enough for
 * all of them. If there is no such hole, they are placed in the holes with the lowest addresses,
 * and the remaining images at the end of the file. The end of a hole may remain unfilled because
 * the next image is too large. When the ranks count the space in a hole, they count only the bytes
 * that are certain to be filled; blocks that remain unfilled are returned in {@code unused}. If the
 * free space and the replaced images together amount to at least half the size of these images,
 * space is reserved at the end of the file, since the next images may be slightly larger: at least
 * half the size of the images placed there and, if images were replaced, enough that the free space
 * and the replaced images again amount to half the size of these images. A dataset that is
 * rewritten repeatedly then soon fits into its own holes.
 *
 * <p>Source: Fortner and Mainzer, "RFC: Sparse Chunks", draft of 2018-08-30, sections 6.3.6 and
 * 6.4.3. The draft requires late allocation and leaves the algorithm open.
 *
 * @param addresses the address of each image
 * @param unused the blocks that were allocated to this rank but not filled
 */
public record Placement(long[] addresses, List<Block> unused) {
  /** The minimum number of bytes to reserve at the end of the file. */
  private static final long LEAST_SLACK = 1024;

  /** The number of size groups, each of which ranges from a power of two to the next. */
  private static final int GROUPS = Long.SIZE - 1;

  /**
   * Places the images of all ranks. Collective.
   *
   * @param use the use of the space, which selects the holes
   * @param sizes the sizes of this rank's images in bytes, each at least 1
   * @param replaced the number of bytes that become free on this rank when its images are
   *     published, such as those of older images that they replace
   * @param space the allocator of the file, which this call changes. Its state is equal on all
   *     ranks before and after the call, except for holes that are recorded on only one rank
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

  /**
   * Places images, the largest first, in the holes that are recorded only on this rank.
   *
   * @return the indexes of the other images, ascending
   */
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

  /** Reserves space for the next images, which may be larger or may not fit into divided holes. */
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
   * The space in bytes that the images of all ranks need, by size group.
   *
   * @param total the total size of the images of all ranks
   * @param below the total size of the images of lower ranks
   * @param smallest the size of the smallest image
   * @param largest the size of the largest image
   * @param replaced the total number of bytes that become free on all ranks, over all groups
   */
  private record Needs(long[] total, long[] below, long[] smallest, long[] largest, long replaced) {
    static Needs of(Communicator ranks, long[] sizes, long replaced) {
      long[] sums = new long[GROUPS + 1];
      // One reduction yields both limits, since the minimum is the negated maximum of the negated
      // sizes.
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

    /**
     * Returns the number of bytes of a stretch that are certain to be filled if there are enough
     * images.
     */
    long sure(int group, long length) {
      // Images of equal size fill a known number of bytes. Otherwise, the first image that does not
      // fit leaves a remainder shorter than the largest image.
      return smallest[group] == largest[group]
          ? length / largest[group] * largest[group]
          : length - largest[group] + 1;
    }
  }

  /**
   * A stretch of the file that is assigned to the images of a group.
   *
   * @param block the stretch
   * @param sure the number of bytes that count as filled; the remaining bytes are slack
   */
  private record Stretch(Block block, long sure) {}

  /**
   * Takes space from the smallest hole that can hold all images of a group. If there is none, takes
   * holes in ascending order of address until all images are certain to fit or no hole is left. A
   * hole that is smaller than both the space still needed and the largest image of the group is
   * skipped. Only the space still needed is taken from the last hole.
   */
  private static List<Stretch> deal(
      SpaceAllocator space, SpaceAllocator.Use use, Needs needs, int group) {
    List<Block> holes = space.holes(use);
    long left = needs.total[group];
    Optional<Block> whole =
        holes.stream()
            .filter(hole -> hole.length() >= needs.total[group])
            .min(Comparator.comparingLong(Block::length).thenComparingLong(Block::address));
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
   * The share of this rank. The images of a group, in the order of ranks, form one sequence of
   * bytes. Each stretch in turn receives the next part of this sequence. The length of the part is
   * the number of bytes of the stretch that are certain to be filled. The part beyond the last
   * stretch is placed at the end of the file.
   */
  private static final class Share {
    private final long[] sizes;
    private final Needs needs;
    private final long[] addresses;
    private final long[] mine = new long[GROUPS];
    private final List<Block> unused = new ArrayList<>();
    private final List<Integer> remaining = new ArrayList<>();
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
      // The lists are built in reverse order, since the last element of a list is placed first.
      // Images of equal size thus keep their order, in which they may be contiguous in memory.
      for (int i = sizes.length - 1; i >= 0; i--) {
        mine[group(sizes[i])] += sizes[i];
        bySize.get(group(sizes[i])).computeIfAbsent(sizes[i], _ -> new ArrayList<>()).add(i);
      }
    }

    /** Places images of a group in this rank's share of the stretches of the group. */
    void take(int group, List<Stretch> dealt) {
      long from = needs.below[group];
      long to = from + mine[group];
      long at = 0;
      for (Stretch stretch : dealt) {
        long sureEnd = at + stretch.sure;
        if (from < to && from < sureEnd && to > at) {
          long start = stretch.block.address() + Math.max(0, from - at);
          // The rank that receives the last bytes that are certain to be filled also receives the
          // slack.
          long stop = to >= sureEnd ? stretch.block.end() : stretch.block.address() + (to - at);
          pack(bySize.get(group), new Block(start, stop - start));
        }
        at = sureEnd;
      }
      allAtEnd += Math.max(0, needs.total[group] - at);
      belowAtEnd += Math.max(0, from - at);
      mineAtEnd += Math.max(to, at) - Math.max(from, at);
      bySize.get(group).values().forEach(remaining::addAll);
    }

    /** Fills a block with images, the largest first. */
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
     * Places the remaining images at the end of the file, in their original order.
     *
     * @param end the address of the first image of any rank that is placed at the end of the file
     */
    void takeEnd(long end) {
      long at = end + belowAtEnd;
      long stop = at + mineAtEnd;
      remaining.sort(Comparator.naturalOrder());
      for (int image : remaining) {
        addresses[image] = at;
        at += sizes[image];
      }
      if (at < stop) {
        unused.add(new Block(at, stop - at));
      }
    }
  }
}
