package io.skerry.collective.alloc;

import io.skerry.format.Block;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.mpi.Communicator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Addresses for images whose sizes only encoding told: collective late allocation. Four numbers of
 * each rank are gathered; then every rank deals the holes of the file to all ranks in the same way
 * and knows where in the rest, at the end of the file, each rank's extent begins. No rank learns of
 * another's images.
 *
 * <p>A rank whose images fit one hole gets exactly that much of it. From a smaller hole it gets the
 * whole, which it may not fill to the last byte; what stays is given back. When images replace
 * older ones, half as much again, or a little more, is taken at the end of the file, since the next
 * ones may be a little larger: a dataset that is rewritten again and again soon finds room.
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

  /**
   * Collective.
   *
   * @param use which holes may be taken
   * @param sizes bytes of this rank's images, each at least 1
   * @param replaced bytes of older images that this rank's images take the place of
   * @param space the file's space, the same on all ranks; changed in the same way
   */
  public static Placement of(
      Communicator ranks,
      SpaceAllocator.Use use,
      long[] sizes,
      long replaced,
      SpaceAllocator space) {
    long replacing = Arrays.stream(ranks.allGather(replaced)).sum();
    long before = space.freeBytes(use) + replacing;
    long[] needed = ranks.allGather(Arrays.stream(sizes).sum());
    long[] largest = ranks.allGather(Arrays.stream(sizes).max().orElse(0));
    long[] smallest = ranks.allGather(Arrays.stream(sizes).min().orElse(0));
    List<Block> mine = List.of();
    for (int rank = 0; rank < needed.length; rank++) {
      List<Block> dealt = deal(space, use, new Need(needed[rank], smallest[rank], largest[rank]));
      if (rank == ranks.rank()) {
        mine = dealt;
      }
    }
    long[] addresses = new long[sizes.length];
    List<Integer> rest = new ArrayList<>();
    List<Block> unused = new ArrayList<>();
    pack(sizes, mine, addresses, rest, unused);
    long[] atEnd = ranks.allGather(rest.stream().mapToLong(i -> sizes[i]).sum());
    long at = space.endOfFile();
    for (int rank = 0; rank < ranks.rank(); rank++) {
      at += atEnd[rank];
    }
    for (int i : rest) {
      addresses[i] = at;
      at += sizes[i];
    }
    long total = Arrays.stream(atEnd).sum();
    space.raiseEnd(space.endOfFile() + total);
    long all = Arrays.stream(needed).sum();
    if (before >= all / 2) {
      long missing = replacing > 0 ? all / 2 - space.freeBytes(use) - replacing : 0;
      reserve(space, use, Math.max(total / 2, missing), Arrays.stream(largest).max().orElse(0));
    }
    return new Placement(addresses, unused);
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

  /**
   * What a rank has to place.
   *
   * @param bytes of all images
   * @param smallest bytes of the shortest
   * @param largest bytes of the longest
   */
  private record Need(long bytes, long smallest, long largest) {
    /** Bytes of a stretch that are sure to be filled, if there are images enough. */
    long sure(long length) {
      // Of images of one length it is known; else the last that would not fit may leave a rest.
      return smallest == largest ? length / largest * largest : length - largest + 1;
    }
  }

  /** The smallest hole that takes all, else the lowest ones until all are sure to fit. */
  private static List<Block> deal(SpaceAllocator space, SpaceAllocator.Use use, Need need) {
    List<Block> holes = space.holes(use);
    Optional<Block> whole =
        holes.stream()
            .filter(hole -> need.bytes > 0 && hole.length() >= need.bytes)
            .min(Comparator.comparingLong(Block::length).thenComparing(Block::address));
    if (whole.isPresent()) {
      Block dealt = new Block(whole.get().address(), need.bytes);
      space.take(use, dealt);
      return List.of(dealt);
    }
    List<Block> dealt = new ArrayList<>();
    long left = need.bytes;
    for (Block hole : holes) {
      if (left <= 0) {
        break;
      }
      if (hole.length() >= left) {
        dealt.add(new Block(hole.address(), left));
        left = 0;
      } else if (hole.length() >= need.largest) {
        dealt.add(hole);
        left -= need.sure(hole.length());
      }
    }
    dealt.forEach(block -> space.take(use, block));
    return dealt;
  }

  /** Fills the blocks in turn, large images first; the last block takes what is left. */
  private static void pack(
      long[] sizes, List<Block> blocks, long[] addresses, List<Integer> rest, List<Block> unused) {
    TreeMap<Long, List<Integer>> bySize = new TreeMap<>(Comparator.reverseOrder());
    for (int i = 0; i < sizes.length; i++) {
      bySize.computeIfAbsent(sizes[i], k -> new ArrayList<>()).add(i);
    }
    for (Block block : blocks) {
      long at = block.address();
      Map.Entry<Long, List<Integer>> next = bySize.ceilingEntry(block.length());
      while (next != null) {
        int image = next.getValue().removeLast();
        if (next.getValue().isEmpty()) {
          bySize.remove(next.getKey());
        }
        addresses[image] = at;
        at += sizes[image];
        next = bySize.ceilingEntry(block.end() - at);
      }
      if (at < block.end()) {
        unused.add(new Block(at, block.end() - at));
      }
    }
    bySize.values().forEach(rest::addAll);
  }
}
