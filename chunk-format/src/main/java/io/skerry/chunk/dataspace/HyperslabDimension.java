package io.skerry.chunk.dataspace;

import java.math.BigInteger;
import java.util.Optional;

/**
 * One dimension of a hyperslab in normal form: blocks of equal size at equal distances. A hyperslab
 * is the product of its dimensions. Many properties can therefore be computed separately for each
 * dimension, without enumerating blocks.
 *
 * @param start first element
 * @param stride distance between block starts; greater than the block if there are several blocks
 * @param count number of blocks, or {@link #UNLIMITED}
 * @param block number of elements in a block, or {@link #UNLIMITED} for a single unlimited block
 */
public record HyperslabDimension(long start, long stride, long count, long block) {
  /** Value of an unlimited count or block. */
  public static final long UNLIMITED = -1;

  private static final HyperslabDimension EMPTY = new HyperslabDimension(0, 1, 0, 0);

  public boolean isEmpty() {
    return count == 0;
  }

  boolean isUnlimited() {
    return count == UNLIMITED || block == UNLIMITED;
  }

  /**
   * Returns the coordinate after the last element; {@link Long#MAX_VALUE} if unlimited. The
   * dimension must not be empty.
   */
  public long end() {
    return isUnlimited() ? Long.MAX_VALUE : startOf(count - 1) + block;
  }

  /** Returns the first element of the block with the given zero-based number. */
  public long startOf(long blockNumber) {
    return start + blockNumber * stride;
  }

  /**
   * Returns the zero-based number of the first block that ends after a coordinate, as if the number
   * of blocks were unlimited. The result may therefore exceed the number of the last block.
   */
  public long firstEndingAfter(long coordinate) {
    if (block == UNLIMITED || coordinate - start < block) {
      return 0;
    }
    return (coordinate - start - block) / stride + 1;
  }

  /** Returns the number of blocks that start before a coordinate. */
  public long startingBefore(long coordinate) {
    if (coordinate <= start) {
      return 0;
    }
    long blocks = (coordinate - 1 - start) / stride + 1;
    return count == UNLIMITED ? blocks : Math.min(blocks, count);
  }

  /** Returns the number of elements before a coordinate. */
  public long elementsBelow(long coordinate) {
    long blocks = startingBefore(coordinate);
    if (blocks == 0 || isEmpty()) {
      return 0;
    }
    long inLast = coordinate - startOf(blocks - 1);
    return block == UNLIMITED ? inLast : (blocks - 1) * block + Math.min(block, inLast);
  }

  /** Returns the first element at or after a coordinate. Such an element must exist. */
  public long firstFrom(long coordinate) {
    return Math.max(coordinate, startOf(firstEndingAfter(coordinate)));
  }

  public boolean contains(long coordinate) {
    return intersects(coordinate, coordinate + 1);
  }

  /** Returns whether any element is within a half-open range. */
  public boolean intersects(long from, long to) {
    long first = firstEndingAfter(from);
    return (count == UNLIMITED || first < count) && first < startingBefore(to);
  }

  /** Returns whether two dimensions have an element in common. */
  public boolean intersects(HyperslabDimension other) {
    if (count == 1) {
      return other.intersects(start, end());
    }
    if (other.count == 1) {
      return intersects(other.start, other.end());
    }
    if (isEmpty() || other.isEmpty()) {
      return false;
    }
    // Blocks that extend beyond the range of the other dimension are checked one at a time; the
    // remaining blocks are within the periodic part of the other dimension.
    long from = firstEndingAfter(other.start);
    long to = startingBefore(other.end());
    while (from < to && startOf(from) < other.start) {
      // The last block of an unlimited hyperslab may extend beyond the greatest coordinate.
      long room = Long.MAX_VALUE - startOf(from);
      if (other.intersects(startOf(from), startOf(from) + Math.min(block, room))) {
        return true;
      }
      from++;
    }
    while (from < to && other.end() - startOf(to - 1) < block) {
      to--;
      if (other.intersects(startOf(to), other.end())) {
        return true;
      }
    }
    return from < to && meetsWithin(other, from, to);
  }

  private boolean meetsWithin(HyperslabDimension other, long from, long to) {
    if (block - 1 >= other.stride - other.block) {
      return true;
    }
    long reach = block + other.block - 2;
    BigInteger period = BigInteger.valueOf(other.stride);
    BigInteger phase =
        BigInteger.valueOf(startOf(from) - other.start)
            .add(BigInteger.valueOf(block - 1))
            .mod(period);
    if (phase.longValueExact() <= reach) {
      return true;
    }
    BigInteger low = period.subtract(phase);
    Optional<BigInteger> hit =
        ModularArithmetic.firstMultiple(
            BigInteger.valueOf(stride).mod(period),
            period,
            low,
            low.add(BigInteger.valueOf(reach)));
    return hit.isPresent() && hit.get().compareTo(BigInteger.valueOf(to - from)) < 0;
  }

  /**
   * Returns the tree of the elements within a half-open range. Each span has the set {@code under}
   * in the remaining dimensions.
   */
  public SpanTree spans(long from, long to, SpanTree under) {
    long first = firstEndingAfter(from);
    long end = startingBefore(to);
    SpanList spans = new SpanList(under.depth() + 1, Math.clamp(end - first, 1, 1 << 16));
    for (long i = first; i < end; i++) {
      long lo = startOf(i);
      long hi = block == UNLIMITED || block > to - lo ? to : lo + block;
      spans.add(Math.max(lo, from), hi, under);
    }
    return spans.build();
  }

  /**
   * Returns the elements within a half-open range as one pattern, whose count is 0 if the range
   * contains no elements. Returns an empty optional if the elements do not form a regular pattern.
   */
  Optional<HyperslabDimension> clip(long from, long to) {
    long first = firstEndingAfter(from);
    long last = startingBefore(to) - 1;
    if (last < first || isEmpty()) {
      return Optional.of(EMPTY);
    }
    long head = Math.max(from, startOf(first));
    boolean whole = head == startOf(first);
    if (to == Long.MAX_VALUE && isUnlimited()) {
      if (block == UNLIMITED) {
        return Optional.of(new HyperslabDimension(head, 1, 1, block));
      }
      return whole
          ? Optional.of(new HyperslabDimension(head, stride, count, block))
          : Optional.empty();
    }
    long room = to - startOf(last);
    long tail = block == UNLIMITED ? room : Math.min(block, room);
    if (first == last) {
      return Optional.of(new HyperslabDimension(head, 1, 1, startOf(last) + tail - head));
    }
    long headSize = block - (head - startOf(first));
    if (headSize == tail && (last == first + 1 || tail == block)) {
      long distance = whole ? stride : startOf(last) - head;
      return Optional.of(new HyperslabDimension(head, distance, last - first + 1, tail));
    }
    return Optional.empty();
  }

  /**
   * Returns the intersection, whose count is 0 if there are no common elements. Returns an empty
   * optional if the intersection may not be regular; the caller must then enumerate the blocks.
   */
  public Optional<HyperslabDimension> intersect(HyperslabDimension other) {
    if (isEmpty() || other.isEmpty()) {
      return Optional.of(EMPTY);
    }
    if (count == 1) {
      return other.clip(start, end());
    }
    if (other.count == 1) {
      return clip(other.start, other.end());
    }
    if (stride == other.stride) {
      return inStep(other);
    }
    return block == 1 && other.block == 1 ? Optional.of(common(other)) : Optional.empty();
  }

  /**
   * Returns the intersection with a dimension of the same stride. Returns an empty optional if a
   * period can contain two pieces of the intersection that differ in size or distance.
   */
  private Optional<HyperslabDimension> inStep(HyperslabDimension other) {
    long phase = Math.floorMod(other.start - start, stride);
    boolean startsInside = phase < block;
    boolean reachesNext = other.block > stride - phase;
    if (startsInside && reachesNext) {
      return block == other.block && phase == stride - phase
          ? Optional.of(twice(other, phase))
          : Optional.empty();
    }
    if (!startsInside && !reachesNext) {
      return Optional.of(EMPTY);
    }
    long offset = startsInside ? phase : 0;
    long size =
        startsInside ? Math.min(block - phase, other.block) : other.block - (stride - phase);
    size = Math.min(size, block);
    long theirs = Math.floorDiv(start - other.start + phase, stride) - (startsInside ? 0 : 1);
    long first = Math.max(0, -theirs);
    long end = Long.MAX_VALUE;
    if (count != UNLIMITED) {
      end = count;
    }
    if (other.count != UNLIMITED) {
      end = Math.min(end, other.count - theirs);
    }
    if (end <= first) {
      return Optional.of(EMPTY);
    }
    long blocks = end == Long.MAX_VALUE ? UNLIMITED : end - first;
    return Optional.of(normal(startOf(first) + offset, stride, blocks, size));
  }

  /**
   * Returns the intersection with a dimension of the same stride and block size whose blocks start
   * half a stride after those of this dimension and overlap two of them. The blocks of the
   * intersection start half a stride apart: block 2i is at the start of block i of this dimension,
   * and block 2i + 1 is at the end of it.
   *
   * @param half half of the stride, less than the block size
   */
  private HyperslabDimension twice(HyperslabDimension other, long half) {
    // The block of the other dimension that starts within block 0 of this one.
    long theirs = Math.floorDiv(start - other.start + half, stride);
    long first = Math.max(0, 1 - 2 * theirs);
    long end = Long.MAX_VALUE;
    if (count != UNLIMITED) {
      end = 2 * count;
    }
    if (other.count != UNLIMITED) {
      end = Math.min(end, 2 * (other.count - theirs) + 1);
    }
    if (end <= first) {
      return EMPTY;
    }
    long blocks = end == Long.MAX_VALUE ? UNLIMITED : end - first;
    return normal(start + first * half, half, blocks, block - half);
  }

  /** Intersects two arithmetic sequences with the Chinese remainder theorem. */
  private HyperslabDimension common(HyperslabDimension other) {
    BigInteger mine = BigInteger.valueOf(stride);
    BigInteger theirs = BigInteger.valueOf(other.stride);
    BigInteger divisor = mine.gcd(theirs);
    BigInteger[] gap = BigInteger.valueOf(other.start - start).divideAndRemainder(divisor);
    if (gap[1].signum() != 0) {
      return EMPTY;
    }
    BigInteger reduced = theirs.divide(divisor);
    BigInteger steps =
        reduced.equals(BigInteger.ONE)
            ? BigInteger.ZERO
            : gap[0].multiply(mine.divide(divisor).modInverse(reduced)).mod(reduced);
    BigInteger period = mine.multiply(reduced);
    BigInteger first = BigInteger.valueOf(start).add(steps.multiply(mine));
    BigInteger missing = BigInteger.valueOf(Math.max(start, other.start)).subtract(first);
    if (missing.signum() > 0) {
      first = first.add(ModularArithmetic.ceilDiv(missing, period).multiply(period));
    }
    BigInteger room = BigInteger.valueOf(Math.min(end(), other.end()) - 1).subtract(first);
    if (room.signum() < 0) {
      return EMPTY;
    }
    boolean unlimited = isUnlimited() && other.isUnlimited() && period.bitLength() < Long.SIZE;
    long blocks = unlimited ? UNLIMITED : room.divide(period).longValueExact() + 1;
    return normal(first.longValueExact(), blocks == 1 ? 1 : period.longValueExact(), blocks, 1);
  }

  private static HyperslabDimension normal(long start, long stride, long count, long block) {
    return new HyperslabDimension(start, count == 1 ? 1 : stride, count, block);
  }
}
