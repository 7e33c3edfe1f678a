package io.skerry.testkit.mpi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Reduction;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;

/**
 * Conformance suite for all-reduce and exclusive scan, with every kind of element and every
 * operation that is defined for it. The model uses {@code long}; floating-point elements are small
 * integers, so that every order of addition gives the same sum.
 */
public final class ReductionConformance implements RankedCases {
  private static final int[] LENGTHS = {0, 1, 13, 5000};

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase(
            "an_all_reduce_combines_every_kind_by_every_operation",
            world -> everyPair(world, ReductionConformance::reduceOnce)),
        new RankedCase(
            "an_exclusive_scan_combines_the_ranks_below_and_gives_rank_0_zeros",
            world -> everyPair(world, ReductionConformance::scanOnce)),
        new RankedCase("bits_of_floating_point_numbers_are_refused", ReductionConformance::noBits));
  }

  @FunctionalInterface
  private interface Pair {
    void check(Communicator world, ElementKind kind, Reduction op, int length);
  }

  private static void everyPair(Communicator world, Pair pair) {
    for (var kind : ElementKind.values()) {
      for (var op : Reduction.values()) {
        if (kind.allows(op)) {
          for (int length : LENGTHS) {
            pair.check(world, kind, op, length);
          }
        }
      }
    }
  }

  private static void reduceOnce(Communicator world, ElementKind kind, Reduction op, int length) {
    var all = values(world.size(), kind, length);
    try (var buffers = new RankBuffers(length, world.rank())) {
      var receive = buffers.filled(length * kind.bytes());
      world.allReduce(pack(buffers, kind, all[world.rank()]), receive, kind, op);
      expect(combined(all, world.size(), op, length), receive, kind, op);
    }
  }

  private static void scanOnce(Communicator world, ElementKind kind, Reduction op, int length) {
    var all = values(world.size(), kind, length);
    try (var buffers = new RankBuffers(length, world.rank())) {
      var receive = buffers.filled(length * kind.bytes());
      world.exclusiveScan(pack(buffers, kind, all[world.rank()]), receive, kind, op);
      expect(combined(all, world.rank(), op, length), receive, kind, op);
    }
  }

  private static void noBits(Communicator world) {
    var send = MemorySegment.ofArray(new double[1]);
    var receive = MemorySegment.ofArray(new double[1]);
    for (var op : List.of(Reduction.BIT_OR, Reduction.BIT_AND)) {
      Expect.thrown(
          IllegalArgumentException.class,
          () -> world.allReduce(send, receive, ElementKind.F64, op),
          op.name());
    }
  }

  private static long[][] values(int size, ElementKind kind, int length) {
    var random = new Random(kind.ordinal() * 100L + length);
    var all = new long[size][length];
    for (var values : all) {
      for (int i = 0; i < length; i++) {
        values[i] =
            switch (kind) {
              case U8 -> random.nextInt(256);
              case I32 -> random.nextInt();
              case I64 -> random.nextLong();
              case F64 -> random.nextInt(2001) - 1000;
            };
      }
    }
    return all;
  }

  private static long[] combined(long[][] all, int end, Reduction op, int length) {
    var result = end == 0 ? new long[length] : all[0].clone();
    for (int from = 1; from < end; from++) {
      for (int i = 0; i < length; i++) {
        long a = result[i];
        long b = all[from][i];
        result[i] =
            switch (op) {
              case SUM -> a + b;
              case MIN -> Math.min(a, b);
              case MAX -> Math.max(a, b);
              case BIT_OR -> a | b;
              case BIT_AND -> a & b;
            };
      }
    }
    return result;
  }

  private static MemorySegment pack(RankBuffers buffers, ElementKind kind, long[] values) {
    var packed = buffers.filled(values.length * kind.bytes());
    for (int i = 0; i < values.length; i++) {
      long at = (long) i * kind.bytes();
      switch (kind) {
        case U8 -> packed.set(JAVA_BYTE, at, (byte) values[i]);
        case I32 -> packed.set(JAVA_INT_UNALIGNED, at, (int) values[i]);
        case I64 -> packed.set(JAVA_LONG_UNALIGNED, at, values[i]);
        case F64 -> packed.set(JAVA_DOUBLE_UNALIGNED, at, (double) values[i]);
      }
    }
    return packed;
  }

  private static void expect(
      long[] expected, MemorySegment actual, ElementKind kind, Reduction op) {
    for (int i = 0; i < expected.length; i++) {
      long at = (long) i * kind.bytes();
      var what = "%s of %s at %d".formatted(op, kind, i);
      switch (kind) {
        case U8 -> Expect.equal((byte) expected[i], actual.get(JAVA_BYTE, at), what);
        case I32 -> Expect.equal((int) expected[i], actual.get(JAVA_INT_UNALIGNED, at), what);
        case I64 -> Expect.equal(expected[i], actual.get(JAVA_LONG_UNALIGNED, at), what);
        case F64 -> Expect.equal((double) expected[i], actual.get(JAVA_DOUBLE_UNALIGNED, at), what);
      }
    }
  }
}
