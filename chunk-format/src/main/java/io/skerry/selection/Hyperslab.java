package io.skerry.selection;

import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.chunk.dataspace.SpanTree;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A regular hyperslab: in each dimension, {@code count} blocks of {@code block} elements. The first
 * block is at {@code start}, and the starts of successive blocks are {@code stride} apart. A
 * hyperslab is a set: adjacent and overlapping blocks form one larger block. The count or the block
 * size in a dimension may be {@link Shape#UNLIMITED}; in that dimension, the hyperslab then ends at
 * the end of the extent for which it is resolved. Immutable.
 */
public final class Hyperslab implements Selection {
  private final long[] start;
  private final long[] stride;
  private final long[] count;
  private final long[] block;

  /** True if the parameters are those of a single finite block. */
  private final boolean oneBlock;

  /**
   * Creates a hyperslab. Takes ownership of the arrays.
   *
   * @throws IllegalArgumentException if the rank is not 1 to 32, a parameter is out of range, or a
   *     block ends beyond 2^63-1
   */
  Hyperslab(long[] start, long[] stride, long[] count, long[] block) {
    this.start = start;
    this.stride = stride;
    this.count = count;
    this.block = block;
    if (start.length == 0 || start.length > Shape.MAX_RANK) {
      throw new IllegalArgumentException("rank of a hyperslab: rank=" + rank() + " allowed=1..32");
    }
    boolean one = true;
    for (int d = 0; d < start.length; d++) {
      check(d);
      one &= count[d] == 1 && block[d] > 0;
    }
    this.oneBlock = one;
  }

  private void check(int d) {
    boolean sized = count[d] >= Shape.UNLIMITED && block[d] >= Shape.UNLIMITED;
    boolean bothUnlimited = count[d] == Shape.UNLIMITED && block[d] == Shape.UNLIMITED;
    boolean manyUnlimited = count[d] > 1 && block[d] == Shape.UNLIMITED;
    if (start[d] < 0 || stride[d] < 1 || !sized || bothUnlimited || manyUnlimited) {
      throw new IllegalArgumentException("not a hyperslab: " + describe(d));
    }
    if (count[d] > 0 && block[d] > 0) {
      try {
        Math.addExact(lastBlock(d), block[d]);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException("beyond 2^63-1: " + describe(d), e);
      }
    }
  }

  /**
   * Returns the hyperslab of a single element. Takes ownership of the array. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the rank is not 1 to 32, or a coordinate is out of range
   */
  static Hyperslab single(long[] start) {
    long[] ones = HyperslabNormalForm.ones(start.length);
    return new Hyperslab(start, ones, ones, ones);
  }

  private long lastBlock(int d) {
    return Math.addExact(start[d], Math.multiplyExact(count[d] - 1, stride[d]));
  }

  private String describe(int d) {
    return "dimension="
        + d
        + " start="
        + start[d]
        + " stride="
        + stride[d]
        + " count="
        + count[d]
        + " block="
        + block[d];
  }

  /**
   * Returns a single block with the same start and the given sizes, in elements. Local,
   * thread-safe.
   *
   * @throws IllegalArgumentException if the number of sizes differs from the rank, a size is
   *     negative but not {@link Shape#UNLIMITED}, or the block ends beyond 2^63 - 1
   */
  public Hyperslab extent(long... sizes) {
    long[] ones = HyperslabNormalForm.ones(start.length);
    return new Hyperslab(start, ones, ones, sized(sizes, "extent"));
  }

  /**
   * Returns this hyperslab with different strides, in elements. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the number of strides differs from the rank, a stride is
   *     less than 1, or a block ends beyond 2^63 - 1
   */
  public Hyperslab stride(long... strides) {
    return new Hyperslab(start, sized(strides, "stride"), count, block);
  }

  /**
   * Returns this hyperslab with different numbers of blocks. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the number of counts differs from the rank, a count is
   *     negative but not {@link Shape#UNLIMITED}, a dimension with an unlimited block gets a count
   *     other than 0 or 1, or a block ends beyond 2^63 - 1
   */
  public Hyperslab count(long... counts) {
    return new Hyperslab(start, stride, sized(counts, "count"), block);
  }

  /**
   * Returns this hyperslab with different block sizes, in elements. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the number of sizes differs from the rank, a size is
   *     negative but not {@link Shape#UNLIMITED}, a dimension with a count other than 0 or 1 gets
   *     an unlimited block, or a block ends beyond 2^63 - 1
   */
  public Hyperslab block(long... sizes) {
    return new Hyperslab(start, stride, count, sized(sizes, "block"));
  }

  private long[] sized(long[] given, String what) {
    if (given.length != start.length) {
      throw new IllegalArgumentException(
          "rank: start=" + start.length + " " + what + "=" + given.length);
    }
    return given.clone();
  }

  /**
   * Returns the first coordinate in a dimension. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public long startAt(int dimension) {
    return start[dimension];
  }

  /**
   * Returns the distance between block starts in a dimension, in elements. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public long strideAt(int dimension) {
    return stride[dimension];
  }

  /**
   * Returns the number of blocks in a dimension, or {@link Shape#UNLIMITED}. Local, thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public long countAt(int dimension) {
    return count[dimension];
  }

  /**
   * Returns the size of a block in a dimension, in elements, or {@link Shape#UNLIMITED}. Local,
   * thread-safe.
   *
   * @throws ArrayIndexOutOfBoundsException if there is no such dimension
   */
  public long blockAt(int dimension) {
    return block[dimension];
  }

  /** Returns the number of dimensions. Local, thread-safe; does not fail. */
  public int dimensions() {
    return start.length;
  }

  /** Returns whether any dimension is unlimited. Local, thread-safe; does not fail. */
  public boolean isUnlimited() {
    return unlimitedDimensions() > 0;
  }

  /** Returns the number of unlimited dimensions. */
  int unlimitedDimensions() {
    int unlimited = 0;
    for (int d = 0; d < start.length; d++) {
      unlimited += count[d] == Shape.UNLIMITED || block[d] == Shape.UNLIMITED ? 1 : 0;
    }
    return unlimited;
  }

  /** Returns whether the hyperslab is a single finite block. Local, thread-safe; does not fail. */
  public boolean isBox() {
    return isOneBlock()
        || !isUnlimited() && Arrays.stream(normal().count).allMatch(blocks -> blocks == 1);
  }

  /**
   * Returns whether the parameters are those of a single finite block. Unlike {@link #isBox}, does
   * not join adjacent blocks.
   */
  boolean isOneBlock() {
    return oneBlock;
  }

  /**
   * Returns the normal form of the set: adjacent and overlapping blocks are joined, a single block
   * has stride 1, and an empty hyperslab has stride 1 and zeros in all other parameters. An
   * unlimited number of adjacent blocks is kept, because a virtual dataset layout counts the
   * blocks. Local, thread-safe; does not fail.
   */
  public Hyperslab normal() {
    return HyperslabNormalForm.of(this, HyperslabNormalForm.Unlimited.KEPT);
  }

  @Override
  public OptionalInt rank() {
    return OptionalInt.of(start.length);
  }

  @Override
  public boolean isEmpty() {
    for (int d = 0; d < start.length; d++) {
      if (count[d] == 0 || block[d] == 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void checkWithin(Shape extent) {
    if (!oneBlock) {
      Selection.super.checkWithin(extent);
      return;
    }
    SelectionAlgebra.checkRank(this, extent);
    for (int d = 0; d < start.length; d++) {
      SelectionAlgebra.checkWithin(d, start[d] + block[d], extent);
    }
  }

  @Override
  public Selection resolve(Shape extent) {
    if (!oneBlock) {
      return Selection.super.resolve(extent);
    }
    SelectionAlgebra.checkRank(this, extent);
    return this;
  }

  @Override
  public long count(Shape extent) {
    if (!oneBlock) {
      return Selection.super.count(extent);
    }
    SelectionAlgebra.checkRank(this, extent);
    long product = 1;
    for (long size : block) {
      product = Math.multiplyExact(product, size);
    }
    return product;
  }

  /** Returns the bounding box of a finite hyperslab, which must not be empty. */
  Box bounds() {
    long[] end = new long[start.length];
    for (int d = 0; d < end.length; d++) {
      end[d] = lastBlock(d) + block[d];
    }
    return new Box(start, end);
  }

  /** Returns the dimensions, with adjacent and overlapping blocks joined. */
  HyperslabDimension[] progressions() {
    Hyperslab normal = HyperslabNormalForm.of(this, HyperslabNormalForm.Unlimited.JOINED);
    return IntStream.range(0, start.length)
        .mapToObj(normal::along)
        .toArray(HyperslabDimension[]::new);
  }

  /** Returns the parameters of one dimension as given, without joining adjacent blocks. */
  HyperslabDimension along(int d) {
    return new HyperslabDimension(start[d], stride[d], count[d], block[d]);
  }

  /**
   * Visits the runs of a finite hyperslab in row-major order, without building a list of blocks.
   */
  void forEachRun(Selection.RunVisitor visitor) {
    if (!isEmpty()) {
      forEachRun(progressions(), new long[start.length], 0, visitor);
    }
  }

  /** Visits the runs in dimension {@code d} and all later ones, all finite, in row-major order. */
  private static void forEachRun(
      HyperslabDimension[] along, long[] at, int d, Selection.RunVisitor visitor) {
    HyperslabDimension blocks = along[d];
    for (long i = 0; i < blocks.count(); i++) {
      long from = blocks.startOf(i);
      if (d == at.length - 1) {
        at[d] = from;
        visitor.run(at, blocks.block());
        continue;
      }
      for (long c = from; c < from + blocks.block(); c++) {
        at[d] = c;
        forEachRun(along, at, d + 1, visitor);
      }
    }
  }

  /**
   * Returns the hyperslab with the given dimensions. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the rank is not 1 to 32, or a dimension is invalid
   */
  static Hyperslab of(HyperslabDimension... along) {
    return new Hyperslab(
        Arrays.stream(along).mapToLong(HyperslabDimension::start).toArray(),
        Arrays.stream(along).mapToLong(HyperslabDimension::stride).toArray(),
        Arrays.stream(along).mapToLong(HyperslabDimension::count).toArray(),
        Arrays.stream(along).mapToLong(HyperslabDimension::block).toArray());
  }

  /** Returns the number of elements of a finite hyperslab. */
  long elements() {
    return elementsWithin(isEmpty() ? new long[start.length] : bounds().end());
  }

  /** Returns the number of elements inside a box of the given sizes at the origin. */
  long elementsWithin(long[] sizes) {
    HyperslabDimension[] along = progressions();
    long[] elements = new long[sizes.length];
    Arrays.setAll(elements, d -> along[d].elementsBelow(sizes[d]));
    return Shape.of(elements).elements();
  }

  /** Returns the elements inside a box. */
  SpanTree within(Box box) {
    SpanTree tree = isEmpty() ? SpanTree.EMPTY : SpanTree.POINT;
    HyperslabDimension[] along = progressions();
    for (int d = start.length - 1; d >= 0; d--) {
      tree = along[d].spans(box.start(d), box.end(d), tree);
    }
    return tree;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Hyperslab that)) {
      return false;
    }
    Hyperslab a = normal();
    Hyperslab b = that.normal();
    return Arrays.equals(a.start, b.start)
        && Arrays.equals(a.stride, b.stride)
        && Arrays.equals(a.count, b.count)
        && Arrays.equals(a.block, b.block);
  }

  @Override
  public int hashCode() {
    Hyperslab a = normal();
    return (Arrays.hashCode(a.start) * 31 + Arrays.hashCode(a.count)) * 31
        + Arrays.hashCode(a.block);
  }

  /**
   * Returns the parameters as text, for example {@code [0:4, 10:99:3x2]}: start and end, where
   * {@code inf} is an unlimited end, and stride × block unless the count is 1.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int d = 0; d < start.length; d++) {
      text.append(d == 0 ? "" : ", ").append(start[d]).append(':');
      if (count[d] == Shape.UNLIMITED || block[d] == Shape.UNLIMITED) {
        text.append("inf");
      } else {
        text.append(count[d] == 0 || block[d] == 0 ? start[d] : lastBlock(d) + block[d]);
      }
      if (count[d] != 1) {
        text.append(':').append(stride[d]).append('x').append(block[d]);
      }
    }
    return text.append(']').toString();
  }
}
