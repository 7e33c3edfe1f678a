package io.skerry.mpi.internal.base;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;

/** Combines buffers element by element. */
public record Reducer(ElementKind kind, Reduction op) {

  /** Computes {@code accumulator[i] = accumulator[i] op part[i]}. */
  public void combine(MemorySegment accumulator, MemorySegment part) {
    for (long at = 0; at < part.byteSize(); at += kind.bytes()) {
      switch (kind) {
        case U8 -> {
          long a = Byte.toUnsignedLong(accumulator.get(JAVA_BYTE, at));
          long b = Byte.toUnsignedLong(part.get(JAVA_BYTE, at));
          accumulator.set(JAVA_BYTE, at, (byte) combine(a, b));
        }
        case I32 -> {
          long a = accumulator.get(JAVA_INT_UNALIGNED, at);
          long b = part.get(JAVA_INT_UNALIGNED, at);
          accumulator.set(JAVA_INT_UNALIGNED, at, (int) combine(a, b));
        }
        case I64 -> {
          long a = accumulator.get(JAVA_LONG_UNALIGNED, at);
          long b = part.get(JAVA_LONG_UNALIGNED, at);
          accumulator.set(JAVA_LONG_UNALIGNED, at, combine(a, b));
        }
        case F64 -> {
          double a = accumulator.get(JAVA_DOUBLE_UNALIGNED, at);
          double b = part.get(JAVA_DOUBLE_UNALIGNED, at);
          accumulator.set(JAVA_DOUBLE_UNALIGNED, at, combine(a, b));
        }
      }
    }
  }

  private long combine(long a, long b) {
    return switch (op) {
      case SUM -> a + b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case BIT_OR -> a | b;
      case BIT_AND -> a & b;
    };
  }

  private double combine(double a, double b) {
    return switch (op) {
      case SUM -> a + b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case BIT_OR, BIT_AND -> throw new IllegalArgumentException("no bits in " + kind);
    };
  }

  @Override
  public String toString() {
    return op + " of " + kind;
  }
}
