package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import java.util.Arrays;

/**
 * The initial settings of the metadata cache of the HDF5 library, which {@code H5Pset_mdc_config}
 * describes. Skerry does not use them.
 *
 * <pre>
 * 04 | 08 | i32 version | u32 report, open trace, close trace | 1025: trace file, 00 ...
 * | u32 evictions, set initial size | size: initial | f64 clean fraction | size: maximum
 * | size: minimum | i64 epoch length | growth | flash | reduction
 * | u32 dirty bytes threshold | i32 write strategy
 *
 * growth     u8 mode | f64 hit rate | f64 increment | u32 limited | size: limit
 * flash      u8 mode | f64 multiple | f64 threshold
 * reduction  u8 mode | f64 hit rate | f64 decrement | u32 limited | size: limit
 *            | i32 epochs | u32 reserve applies | f64 reserve
 * </pre>
 *
 * @param version the version of the settings
 * @param reports whether changes of the size are reported
 * @param trace the trace of the cache
 * @param evictions whether entries are evicted
 * @param size the size of the cache
 * @param epochLength the number of accesses after which the size is adapted
 * @param growth the growth of the cache
 * @param flash the growth of the cache for large entries
 * @param reduction the reduction of the cache
 * @param dirtyBytes the number of modified bytes on one rank at which the ranks synchronize
 * @param writeStrategy the choice of ranks that write metadata, a code of the library
 */
public record MetadataCacheOptions(
    int version,
    Switch reports,
    Trace trace,
    Switch evictions,
    Size size,
    long epochLength,
    Growth growth,
    Flash flash,
    Reduction reduction,
    long dirtyBytes,
    int writeStrategy) {
  private static final int UNSIGNED_BYTES = 4;
  private static final int REAL_BYTES = 8;
  private static final int TRACE_NAME_BYTES = 1025;

  static final ValueCodec<MetadataCacheOptions> CODEC =
      ValueCodec.of(MetadataCacheOptions::decode, MetadataCacheOptions::encode);

  /**
   * The trace of the cache.
   *
   * @param opens whether a trace file is opened
   * @param closes whether the trace file is closed
   * @param file the name of the file, at most 1024 bytes without NUL
   */
  public record Trace(Switch opens, Switch closes, String file) {
    private static Trace decode(ByteReader in) {
      Switch opens = Scalars.wideSwitch(in);
      Switch closes = Scalars.wideSwitch(in);
      return new Trace(opens, closes, in.sub(TRACE_NAME_BYTES, in.structure()).textToNul());
    }

    private void encode(ByteWriter out) {
      byte[] name = StoredText.encode(file);
      if (name.length >= TRACE_NAME_BYTES || file.indexOf('\0') >= 0) {
        throw new IllegalArgumentException(
            "trace file: bytes=" + name.length + " limit=" + (TRACE_NAME_BYTES - 1));
      }
      out.u32(opens.ordinal()).u32(closes.ordinal());
      out.bytes(Arrays.copyOf(name, TRACE_NAME_BYTES));
    }
  }

  /**
   * The size of the cache, in bytes; values above 2^63-1 are negative.
   *
   * @param set whether the initial size applies
   * @param initial the initial size
   * @param cleanFraction the minimum share of unmodified entries
   * @param maximum the maximum size
   * @param minimum the minimum size
   */
  public record Size(Switch set, long initial, double cleanFraction, long maximum, long minimum) {
    private static Size decode(ByteReader in) {
      return new Size(
          Scalars.wideSwitch(in),
          Scalars.size(in),
          Scalars.plainReal(in),
          Scalars.size(in),
          Scalars.size(in));
    }

    private void encode(ByteWriter out) {
      out.u32(set.ordinal());
      Scalars.size(initial, out);
      Scalars.plainReal(cleanFraction, out);
      Scalars.size(maximum, out);
      Scalars.size(minimum, out);
    }
  }

  /**
   * A change of the size that depends on the hit rate.
   *
   * @param mode the rule, a code of the library
   * @param hitRate the hit rate at which the size changes
   * @param factor the factor by which the size changes
   * @param limited whether a change is limited
   * @param limit the largest change in bytes; values above 2^63-1 are negative
   */
  public record Growth(int mode, double hitRate, double factor, Switch limited, long limit) {
    private static Growth decode(ByteReader in) {
      return new Growth(
          in.u8(),
          Scalars.plainReal(in),
          Scalars.plainReal(in),
          Scalars.wideSwitch(in),
          Scalars.size(in));
    }

    private void encode(ByteWriter out) {
      out.u8(mode);
      Scalars.plainReal(hitRate, out);
      Scalars.plainReal(factor, out);
      out.u32(limited.ordinal());
      Scalars.size(limit, out);
    }
  }

  /**
   * The growth of the cache for large entries.
   *
   * @param mode the rule, a code of the library
   * @param multiple the growth as a multiple of the size of the entry
   * @param threshold the minimum size of a large entry, as a share of the cache
   */
  public record Flash(int mode, double multiple, double threshold) {
    private static Flash decode(ByteReader in) {
      return new Flash(in.u8(), Scalars.plainReal(in), Scalars.plainReal(in));
    }

    private void encode(ByteWriter out) {
      out.u8(mode);
      Scalars.plainReal(multiple, out);
      Scalars.plainReal(threshold, out);
    }
  }

  /**
   * The reduction of the cache.
   *
   * @param change the change of the size
   * @param epochs the number of epochs after which an unused entry is evicted
   * @param reserved whether the reserve applies
   * @param reserve the share of the cache that stays empty
   */
  public record Reduction(Growth change, int epochs, Switch reserved, double reserve) {
    private static Reduction decode(ByteReader in) {
      return new Reduction(
          Growth.decode(in), in.i32(), Scalars.wideSwitch(in), Scalars.plainReal(in));
    }

    private void encode(ByteWriter out) {
      change.encode(out);
      out.u32(epochs).u32(reserved.ordinal());
      Scalars.plainReal(reserve, out);
    }
  }

  private static MetadataCacheOptions decode(ByteReader in) {
    Scalars.expectWidth(in, UNSIGNED_BYTES);
    Scalars.expectWidth(in, REAL_BYTES);
    return new MetadataCacheOptions(
        in.i32(),
        Scalars.wideSwitch(in),
        Trace.decode(in),
        Scalars.wideSwitch(in),
        Size.decode(in),
        in.i64(),
        Growth.decode(in),
        Flash.decode(in),
        Reduction.decode(in),
        in.u32(),
        in.i32());
  }

  private static void encode(MetadataCacheOptions options, ByteWriter out) {
    out.u8(UNSIGNED_BYTES).u8(REAL_BYTES).u32(options.version).u32(options.reports.ordinal());
    options.trace.encode(out);
    out.u32(options.evictions.ordinal());
    options.size.encode(out);
    out.u64(options.epochLength);
    options.growth.encode(out);
    options.flash.encode(out);
    options.reduction.encode(out);
    Scalars.u32(options.dirtyBytes, out);
    out.u32(options.writeStrategy);
  }
}
