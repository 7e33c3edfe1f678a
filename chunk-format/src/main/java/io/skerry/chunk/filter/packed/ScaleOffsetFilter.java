package io.skerry.chunk.filter.packed;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.BitInput;
import io.skerry.chunk.filter.bits.BitOutput;
import io.skerry.chunk.filter.packed.NumberBytes.Order;
import io.skerry.chunk.filter.packed.ScaleOffsetParameters.Kind;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * Filter 6: stores each number as its difference from the minimum of the chunk. Every difference
 * has as many bits as the largest one requires or, for integers, the number of bits given in the
 * client data if it is not 0. Floating-point numbers are first rounded to a number of decimal
 * digits. {@link ScaleOffsetParameters} describes the client data.
 *
 * <pre>
 * 0      4      5          13        21
 * +------+------+----------+---------+------------------------------------+
 * | bits | 8    | minimum  | zeros   | differences, highest bit first, and |
 * | u32  | u8   | u64      |         | 1 to 8 zero bits                    |
 * +------+------+----------+---------+------------------------------------+
 * </pre>
 *
 * If the number of bits is the size of an element in bits, the elements follow unchanged, in
 * little-endian byte order, and the minimum has no meaning. Source: the scale-offset filter of the
 * HDF5 library.
 */
public final class ScaleOffsetFilter implements Filter {
  private static final int HEADER = 21;

  @Override
  public int id() {
    return Filters.SCALE_OFFSET;
  }

  @Override
  public String name() {
    return "scaleoffset";
  }

  @Override
  public Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    int[] data = spec.clientData();
    if (data.length != 2) {
      return Optional.of(spec);
    }
    return switch (target) {
      case FilterTarget.Chunk chunk ->
          ScaleOffsetParameters.bind(data[0], data[1], chunk).map(spec::withClientData);
      case FilterTarget.Section _ -> Optional.empty();
    };
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    if (spec.clientData().length != ScaleOffsetParameters.COUNT) {
      throw new IllegalArgumentException(
          "scale-offset without client data; bind it to a dataset first: filter=" + spec);
    }
    ScaleOffsetParameters p = ScaleOffsetParameters.of(spec.clientData());
    if (p.elements() * p.size() != in.byteSize()) {
      // The parameters may come from a file whose chunks have a different size.
      throw new FormatException("bytes for scale-offset", p.elements() * p.size(), in.byteSize());
    }
    if (p.isIdle()) {
      return Optional.of(in);
    }
    // Values are widened to 64 bits in a separate array.
    if (p.elements() > HeapBytes.MAX_ARRAY / 8 - HEADER) {
      return Optional.empty();
    }
    byte[] bytes = HeapBytes.arrayOf(in);
    byte[] out = p.kind() == Kind.FLOAT ? encodeFloats(p, bytes) : encodeIntegers(p, bytes);
    return growth == Growth.SKIPPED && out.length >= bytes.length
        ? Optional.empty()
        : Optional.of(MemorySegment.ofArray(out));
  }

  private static byte[] encodeIntegers(ScaleOffsetParameters p, byte[] in) {
    long[] values = new long[(int) p.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = p.extended(NumberBytes.get(in, i * p.size(), p.size(), p.order()));
    }
    ScaleOffsetPlan plan = ScaleOffsetPlan.ofIntegers(p, values);
    if (plan.isWhole(p)) {
      return whole(p, plan, in);
    }
    BitOutput out = header(p, plan);
    boolean filled = p.fill().isPresent();
    long fill = filled ? p.extended(p.fill().getAsLong()) : 0;
    for (long value : values) {
      out.put(filled && value == fill ? plan.fillMark() : value - plan.minimum(), plan.bits());
    }
    return finish(p, plan, out);
  }

  private static byte[] encodeFloats(ScaleOffsetParameters p, byte[] in) {
    DecimalScale scale = new DecimalScale(p);
    double[] values = new double[(int) p.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = scale.value(NumberBytes.get(in, i * p.size(), p.size(), p.order()));
    }
    ScaleOffsetPlan plan = ScaleOffsetPlan.ofFloats(p, scale, values);
    if (plan.isWhole(p)) {
      return whole(p, plan, in);
    }
    BitOutput out = header(p, plan);
    double minimum = scale.value(plan.minimum());
    for (double value : values) {
      long units = scale.isFill(value) ? plan.fillMark() : Math.round(scale.units(value, minimum));
      out.put(units, plan.bits());
    }
    return finish(p, plan, out);
  }

  private static BitOutput header(ScaleOffsetParameters p, ScaleOffsetPlan plan) {
    BitOutput out = new BitOutput(HEADER + (int) (p.elements() * plan.bits() / 8) + 1);
    out.put(Integer.reverseBytes(plan.bits()), 32);
    out.put(8, 8);
    out.put(Long.reverseBytes(plan.minimum()), 64);
    out.put(0, 64);
    return out;
  }

  private static byte[] finish(ScaleOffsetParameters p, ScaleOffsetPlan plan, BitOutput out) {
    return out.toArray(HEADER + (int) (p.elements() * plan.bits() / 8) + 1);
  }

  private static byte[] whole(ScaleOffsetParameters p, ScaleOffsetPlan plan, byte[] in) {
    byte[] out = Arrays.copyOf(header(p, plan).toArray(HEADER), HEADER + in.length);
    System.arraycopy(in, 0, out, HEADER, in.length);
    reorder(p, out, HEADER);
    return out;
  }

  /** Converts elements between the byte order of the type and little-endian. */
  private static void reorder(ScaleOffsetParameters p, byte[] bytes, int from) {
    if (p.order() == Order.BIG) {
      for (int at = from; at < bytes.length; at += p.size()) {
        long value = NumberBytes.get(bytes, at, p.size(), Order.BIG);
        NumberBytes.set(bytes, at, p.size(), Order.LITTLE, value);
      }
    }
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    return bytes + HEADER + 1;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    ScaleOffsetParameters p = ScaleOffsetParameters.of(spec.clientData());
    if (p.isIdle()) {
      if (in.byteSize() > limit) {
        throw new FormatException(
            "scale-offset: bytes without packing", "at most " + limit, in.byteSize());
      }
      return in;
    }
    long length = p.elements() * p.size();
    if (p.elements() > limit / p.size()) {
      throw new FormatException("scale-offset: bytes", "at most " + limit, length);
    }
    if (length > HeapBytes.MAX_ARRAY || in.byteSize() > HeapBytes.MAX_ARRAY) {
      throw new UnsupportedFeatureException("scale-offset of 2 GiB or more", "reading a chunk");
    }
    ByteReader reader = ByteReader.of(in, "scale-offset header");
    long bits = reader.u32();
    ScaleOffsetPlan plan = new ScaleOffsetPlan((int) bits, minimum(reader));
    reader.skip(HEADER - reader.position());
    if (bits > p.width() || p.elements() * bits > 8 * reader.remaining()) {
      throw new FormatException(
          "scale-offset: bits of " + p.elements() + " values",
          "at most " + p.width() + " each, in " + reader.remaining() + " bytes",
          bits);
    }
    byte[] out = new byte[(int) length];
    byte[] stored = HeapBytes.arrayOf(in);
    if (plan.isWhole(p)) {
      System.arraycopy(stored, HEADER, out, 0, out.length);
      reorder(p, out, 0);
    } else if (p.kind() == Kind.FLOAT) {
      decodeFloats(p, plan, new BitInput(stored, HEADER, "scale-offset stream"), out);
    } else {
      decodeIntegers(p, plan, new BitInput(stored, HEADER, "scale-offset stream"), out);
    }
    return MemorySegment.ofArray(out);
  }

  private static long minimum(ByteReader reader) {
    int width = Math.min(8, reader.u8());
    return width == 0 ? 0 : reader.uint(width);
  }

  private static void decodeIntegers(
      ScaleOffsetParameters p, ScaleOffsetPlan plan, BitInput in, byte[] out) {
    boolean filled = p.fill().isPresent();
    for (int at = 0; at < out.length; at += p.size()) {
      long difference = in.bits(plan.bits());
      long value =
          filled && difference == plan.fillMark()
              ? p.fill().getAsLong()
              : difference + plan.minimum();
      NumberBytes.set(out, at, p.size(), p.order(), value);
    }
  }

  private static void decodeFloats(
      ScaleOffsetParameters p, ScaleOffsetPlan plan, BitInput in, byte[] out) {
    DecimalScale scale = new DecimalScale(p);
    double minimum = scale.value(plan.minimum());
    boolean filled = p.fill().isPresent();
    for (int at = 0; at < out.length; at += p.size()) {
      long units = in.bits(plan.bits());
      long value =
          filled && units == plan.fillMark()
              ? p.fill().getAsLong()
              : scale.bitsOf(scale.value(units, minimum));
      NumberBytes.set(out, at, p.size(), p.order(), value);
    }
  }
}
