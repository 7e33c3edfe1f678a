package io.skerry.jobs.argument;

import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Parses filter pipelines given on the command line: filter names joined by plus signs, as in
 * {@code shuf+gzip=6}. Case is ignored. The names of h5repack are accepted; filters that h5repack
 * does not know have the names of their libraries. Any other filter is written as {@code
 * ud=ID,FLAG,COUNT,VALUE,...}, with flag 0 for a mandatory filter. The empty pipeline is written as
 * {@code none}.
 */
public final class FilterSyntax {
  /** The syntax of all filters, for the help text of commands. */
  public static final String HELP =
      "gzip=0..9, shuf, fletcher32, szip=PIXELS,NN|EC, nbit, soff=FACTOR,IN|DS, lzf, lz4[=BLOCK],"
          + " zstd=LEVEL, bzip2=LEVEL, bshuf, bshuf-lz4, bshuf-zstd=LEVEL,"
          + " blosc=CODEC,LEVEL[,none|byte|bit], ud=ID,FLAG,COUNT,VALUE..., none";

  private FilterSyntax() {}

  /**
   * Returns the filters named in the text, in the order in which they are applied when writing.
   *
   * @throws IllegalArgumentException if a filter is unknown or its parameters are invalid
   */
  public static List<FilterSpec> parse(String text) {
    if (text.equalsIgnoreCase("none")) {
      return List.of();
    }
    List<FilterSpec> filters = new ArrayList<>();
    for (String part : text.split("\\+", -1)) {
      filters.add(filter(part));
    }
    return filters;
  }

  private static FilterSpec filter(String text) {
    int equals = text.indexOf('=');
    String name = (equals < 0 ? text : text.substring(0, equals)).toLowerCase(Locale.ROOT).strip();
    String[] values = equals < 0 ? new String[0] : text.substring(equals + 1).split(",", -1);
    FilterSpec filter;
    try {
      filter = filter(name, values);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("not the parameters of a filter: filter=" + text, e);
    }
    if (values.length > mostParameters(name)) {
      throw new IllegalArgumentException("too many parameters of a filter: filter=" + text);
    }
    return filter;
  }

  /** Returns the maximum number of parameters of a known filter. */
  private static int mostParameters(String name) {
    return switch (name) {
      case "gzip", "deflate", "lz4", "zstd", "bzip2", "bshuf-zstd" -> 1;
      case "szip", "soff" -> 2;
      case "blosc" -> 3;
      // The number of parameters is checked against COUNT instead.
      case "ud" -> Integer.MAX_VALUE;
      default -> 0;
    };
  }

  private static FilterSpec filter(String name, String[] values) {
    return switch (name) {
      case "gzip", "deflate" -> Filters.deflate(number(values[0]));
      case "shuf", "shuffle" -> Filters.shuffle();
      case "flet", "fletcher32" -> Filters.fletcher32();
      case "nbit" -> Filters.nbit();
      case "szip" -> Filters.szip(coding(values[1]), number(values[0]));
      case "soff" -> scaleOffset(values);
      case "lzf" -> Filters.lzf();
      case "lz4" -> values.length == 0 ? Filters.lz4() : Filters.lz4(number(values[0]));
      case "zstd" -> Filters.zstd(number(values[0]));
      case "bzip2" -> Filters.bzip2(number(values[0]));
      case "bshuf" -> Filters.bitshuffle();
      case "bshuf-lz4" -> Filters.bitshuffleLz4();
      case "bshuf-zstd" -> Filters.bitshuffleZstd(number(values[0]));
      case "blosc" -> blosc(values);
      case "ud" -> userDefined(values);
      default ->
          throw new IllegalArgumentException("no such filter: filter=" + name + " known=" + HELP);
    };
  }

  private static int number(String text) {
    return Integer.parseInt(text.strip());
  }

  private static Filters.SzipCoding coding(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "nn" -> Filters.SzipCoding.NEAREST_NEIGHBOR;
      case "ec" -> Filters.SzipCoding.ENTROPY;
      default -> throw new IllegalArgumentException("szip codes by NN or EC: coding=" + text);
    };
  }

  private static FilterSpec scaleOffset(String[] values) {
    int factor = number(values[0]);
    return switch (values[1].strip().toLowerCase(Locale.ROOT)) {
      case "in" -> factor == 0 ? Filters.scaleOffset() : Filters.scaleOffsetBits(factor);
      case "ds" -> Filters.scaleOffsetDigits(factor);
      default ->
          throw new IllegalArgumentException("scale-offset is of IN or DS: type=" + values[1]);
    };
  }

  private static FilterSpec blosc(String[] values) {
    String shuffle = values.length < 3 ? "byte" : values[2];
    return Filters.blosc(
        Filters.BloscCodec.valueOf(values[0].strip().toUpperCase(Locale.ROOT)),
        number(values[1]),
        bloscShuffle(shuffle));
  }

  private static Filters.BloscShuffle bloscShuffle(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "none" -> Filters.BloscShuffle.NONE;
      case "byte" -> Filters.BloscShuffle.BYTES;
      case "bit" -> Filters.BloscShuffle.BITS;
      default ->
          throw new IllegalArgumentException("blosc shuffles none, byte or bit: shuffle=" + text);
    };
  }

  private static FilterSpec userDefined(String[] values) {
    int[] all = Arrays.stream(values).mapToInt(v -> Integer.parseUnsignedInt(v.strip())).toArray();
    if (all.length != 3 + all[2]) {
      throw new IllegalArgumentException(
          "as many values as COUNT says are needed: count="
              + all[2]
              + " values="
              + (all.length - 3));
    }
    FilterSpec.Flag flag = all[1] == 0 ? FilterSpec.Flag.MANDATORY : FilterSpec.Flag.OPTIONAL;
    return FilterSpec.of(all[0], flag, Arrays.copyOfRange(all, 3, all.length));
  }
}
