package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.pipeline.FilterPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes and decodes the filter list that both pipeline messages contain. The classes of the
 * messages document the byte layout.
 */
final class FilterLists {
  private static final int LIMIT = 32;
  private static final int FIRST_NAMED = 256;

  private FilterLists() {}

  static FilterPipeline decode(ByteReader in, int count) {
    checkCount(in, count);
    List<FilterSpec> filters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int id = in.u16();
      int nameBytes = id >= FIRST_NAMED ? in.u16() : 0;
      int flags = in.u16();
      int values = in.u16();
      filters.add(filter(in, id, flags, name(in, nameBytes), values));
    }
    return new FilterPipeline(filters);
  }

  static FilterPipeline decodePadded(ByteReader in, int count) {
    checkCount(in, count);
    List<FilterSpec> filters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int id = in.u16();
      int nameBytes = in.u16();
      int flags = in.u16();
      int values = in.u16();
      Optional<String> name = name(in, nameBytes + Math.floorMod(-nameBytes, 8));
      filters.add(filter(in, id, flags, name, values));
      in.skip(values % 2 * 4L);
    }
    return new FilterPipeline(filters);
  }

  private static void checkCount(ByteReader in, int count) {
    if (count > LIMIT) {
      throw in.fault("number of filters", "at most " + LIMIT, count);
    }
  }

  private static Optional<String> name(ByteReader in, int bytes) {
    if (bytes == 0) {
      return Optional.empty();
    }
    String padded = in.text(bytes);
    int end = padded.indexOf('\0');
    String name = end < 0 ? padded : padded.substring(0, end);
    return name.isEmpty() ? Optional.empty() : Optional.of(name);
  }

  private static FilterSpec filter(
      ByteReader in, int id, int flags, Optional<String> name, int values) {
    if (id == 0) {
      throw in.fault("filter id", "1 to 65535", 0);
    }
    ByteReader data = in.sub(4L * values, "values of filter " + id);
    int[] clientData = new int[values];
    for (int i = 0; i < values; i++) {
      clientData[i] = data.i32();
    }
    return new FilterSpec(id, FilterSpec.Flag.ofBits(flags), name, clientData);
  }

  private static byte[] terminated(FilterSpec filter) {
    return filter.name().map(n -> StoredText.encode(n + '\0')).orElse(new byte[0]);
  }

  static void encodePadded(ByteWriter out, FilterPipeline pipeline) {
    for (FilterSpec filter : pipeline.filters()) {
      byte[] name = terminated(filter);
      int padding = Math.floorMod(-name.length, 8);
      int[] values = filter.clientData();
      out.u16(filter.id()).u16(name.length + padding);
      out.u16(filter.flag().bits()).u16(values.length).bytes(name).zeros(padding);
      for (int value : values) {
        out.u32(value);
      }
      out.zeros(values.length % 2 * 4);
    }
  }

  static void encode(ByteWriter out, FilterPipeline pipeline) {
    for (FilterSpec filter : pipeline.filters()) {
      byte[] name = filter.id() < FIRST_NAMED ? new byte[0] : terminated(filter);
      int[] values = filter.clientData();
      out.u16(filter.id());
      if (filter.id() >= FIRST_NAMED) {
        out.u16(name.length);
      }
      out.u16(filter.flag().bits()).u16(values.length).bytes(name);
      for (int value : values) {
        out.u32(value);
      }
    }
  }
}
