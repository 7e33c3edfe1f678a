package io.skerry.iod.connector.value;

import io.skerry.chunk.content.PackedContent;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.value.HeapSink;
import io.skerry.internal.value.PackedSink;
import io.skerry.internal.value.ValueWriter;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Encodes values whose content, if any, is stored with them. Local, thread-safe. */
public final class EncodedContent {
  /** Rejects content that would be stored separately from the elements. */
  private static final HeapSink NONE =
      _ -> {
        throw new UnsupportedFeatureException(
            "region reference in sparse or structured chunks", "value of an element");
      };

  private EncodedContent() {}

  /**
   * Encodes values without content.
   *
   * @throws IllegalArgumentException if a value does not fit the type
   * @throws UnsupportedFeatureException if a reference has a type of HDF5 1.12
   */
  public static MemorySegment fixed(Datatype type, List<Value> values) {
    return new ValueWriter(ObjectAddress.WIDTHS, NONE).writeAll(type, values);
  }

  /**
   * Encodes values of variable length with their content.
   *
   * @throws IllegalArgumentException if a value does not fit the type
   * @throws UnsupportedFeatureException if a reference has a type of HDF5 1.12, or the content
   *     exceeds 2 GiB
   */
  public static PackedContent packed(Datatype type, List<Value> values) {
    PackedSink sink = new PackedSink(NONE);
    MemorySegment elements = new ValueWriter(ObjectAddress.WIDTHS, sink).writeAll(type, values);
    return PackedContent.split(sink.join(elements), elements.byteSize());
  }
}
