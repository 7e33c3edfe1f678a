package io.skerry.iod.object.check;

import io.skerry.chunk.text.PrintableText;
import io.skerry.format.Bytes;
import io.skerry.iod.encoding.property.Property;
import io.skerry.iod.encoding.property.PropertyList;
import io.skerry.iod.object.model.Metadata;
import io.skerry.iod.object.model.MetadataKey;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Formats decoded metadata as lines of text. Local, thread-safe. */
final class MetadataText {
  private MetadataText() {}

  /** Returns the key that has a stored form, in a pair or in a BLOB; empty if unknown. */
  static Optional<MetadataKey> key(Bytes stored) {
    for (MetadataKey key : MetadataKey.values()) {
      if (key.key().equals(stored) || key.spilledKey().equals(stored)) {
        return Optional.of(key);
      }
    }
    return Optional.empty();
  }

  /** Returns the lines of a value; the first one is short. */
  static List<String> lines(Metadata metadata, MetadataKey key) {
    return switch (key) {
      case OBJECT_CREATE_PLIST -> list(metadata.creation());
      case OBJECT_TYPE -> List.of(metadata.kind() + " " + metadata.kind().code());
      case OBJECT_LINK_COUNT, SERIALIZED_SIZE, KV_IDS_INDEX, ARRAY_IDS_INDEX, BLOB_IDS_INDEX ->
          List.of(Long.toUnsignedString(metadata.u64(key).orElse(0)));
      case OBJECT_DATATYPE, MAP_KEYTYPE, MAP_VALTYPE ->
          List.of(PrintableText.text(metadata.datatype(key).toString()));
      case OBJECT_DATASPACE ->
          List.of(metadata.extent().map(MetadataText::extent).orElse("null dataspace"));
      case SKERRY_CHUNKS, SKERRY_EDGES, SKERRY_SELECTION_ENCODING ->
          List.of(String.valueOf(metadata.i32(key).orElse(0)));
      case SKERRY_COMMITTED_TYPE -> List.of(metadata.committedType().orElseThrow().toString());
      case SKERRY_SELECTION_FILTERS, SKERRY_HEAP_FILTERS ->
          list(PropertyList.decode(metadata.find(key).orElseThrow()));
      case SKERRY_TILE_SHAPE -> List.of(numbers(metadata.find(key).orElseThrow()));
    };
  }

  private static String extent(Shape shape) {
    return shape.rank() == 0 ? "scalar" : "simple " + shape;
  }

  private static List<String> list(PropertyList list) {
    List<String> lines = new ArrayList<>();
    lines.add(list.kind() + " " + list.properties().size() + " properties");
    for (Property<?> property : list.properties()) {
      lines.add("  " + PrintableText.text(property.toString()));
    }
    return lines;
  }

  private static String numbers(MemorySegment bytes) {
    List<String> numbers = new ArrayList<>();
    for (long at = 0; at + Long.BYTES <= bytes.byteSize(); at += Long.BYTES) {
      numbers.add(String.valueOf(bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at)));
    }
    return String.join(" x ", numbers);
  }

  /** Returns bytes as digits. */
  static String hex(MemorySegment bytes) {
    return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
  }
}
