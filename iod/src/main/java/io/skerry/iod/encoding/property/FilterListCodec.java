package io.skerry.iod.encoding.property;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.filter.FilterSpec;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Encodes and decodes the filters of a property list.
 *
 * <pre>
 * list     04 | size: number | filters
 * filter   i32 id | u32 flags | u8 has name | [12: name, 00 ...] | size: number | u32 each
 * </pre>
 *
 * <p>A name has 12 bytes; a longer name is truncated and has no NUL. The HDF5 library writes the
 * names of filters only in lists of datasets that it opened.
 */
final class FilterListCodec {
  private static final int UNSIGNED_BYTES = 4;
  private static final int NAME_BYTES = 12;
  private static final int MAX_FILTERS = 32;

  /** The minimum encoded size of a filter, in bytes: no name and no client data. */
  private static final int LEAST_BYTES = 11;

  static final ValueCodec<List<FilterSpec>> CODEC =
      ValueCodec.of(FilterListCodec::decode, FilterListCodec::encode);

  private FilterListCodec() {}

  private static List<FilterSpec> decode(ByteReader in) {
    Scalars.expectWidth(in, UNSIGNED_BYTES);
    int number = Scalars.count(in, "filters", LEAST_BYTES);
    if (number > MAX_FILTERS) {
      throw in.fault("filters", "at most " + MAX_FILTERS, number);
    }
    List<FilterSpec> filters = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      filters.add(filter(in));
    }
    return List.copyOf(filters);
  }

  private static FilterSpec filter(ByteReader in) {
    int id = in.i32();
    if (id < 1 || id > 0xffff) {
      throw in.fault("filter id", "1..65535", id);
    }
    FilterSpec.Flag flag = FilterSpec.Flag.ofBits((int) in.u32());
    Optional<String> name =
        Scalars.SWITCH.decode(in) == Switch.ON ? Optional.of(name(in)) : Optional.empty();
    int[] clientData = new int[Scalars.count(in, "client data of filter " + id, UNSIGNED_BYTES)];
    for (int i = 0; i < clientData.length; i++) {
      clientData[i] = in.i32();
    }
    return new FilterSpec(id, flag, name, clientData);
  }

  private static String name(ByteReader in) {
    byte[] bytes = in.slice(NAME_BYTES).toArray(ValueLayout.JAVA_BYTE);
    int length = 0;
    while (length < NAME_BYTES && bytes[length] != 0) {
      length++;
    }
    return StoredText.decode(Arrays.copyOf(bytes, length));
  }

  private static void encode(List<FilterSpec> filters, ByteWriter out) {
    if (filters.size() > MAX_FILTERS) {
      throw new IllegalArgumentException(
          "too many filters: filters=" + filters.size() + " limit=" + MAX_FILTERS);
    }
    out.u8(UNSIGNED_BYTES);
    Scalars.size(filters.size(), out);
    for (FilterSpec filter : filters) {
      out.u32(filter.id()).u32(filter.flag().bits()).u8(filter.name().isPresent() ? 1 : 0);
      filter
          .name()
          .ifPresent(name -> {
            byte[] text = StoredText.encode(name);
            int length = Math.min(text.length, NAME_BYTES);
            out.bytes(Arrays.copyOf(text, length)).zeros(NAME_BYTES - length);
          });
      int[] clientData = filter.clientData();
      Scalars.size(clientData.length, out);
      for (int value : clientData) {
        out.u32(value);
      }
    }
  }
}
