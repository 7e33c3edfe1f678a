package io.skerry.internal.dataset;

import io.skerry.collective.CollectiveFile;
import io.skerry.collective.heap.HeapSpace;
import io.skerry.datatype.Datatype;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.heap.GlobalHeapWriter.Reference;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.HeapSink;
import io.skerry.internal.value.PackedSink;
import io.skerry.internal.value.ValueWriter;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Encodes values for a file. Content in the global heap is stored before the elements that refer to
 * it are committed. {@link #giveUp} releases stored content that no element will use.
 */
public final class ElementEncoder {
  private static final HeapSink MISSING =
      _ -> {
        throw new IllegalStateException("no references, so no global heap");
      };

  private final HeapSpace heap;
  private final Widths widths;
  private final List<Reference> stored = new ArrayList<>();
  private long bytes;

  /**
   * Creates an encoder for a file.
   *
   * @throws IllegalStateException if the file is open for reading only
   */
  public ElementEncoder(HdfFile file) {
    CollectiveFile collective = file.collective();
    this.heap = collective.writableHeap();
    this.widths = file.tree().widths();
  }

  /**
   * Encodes the values of this rank. Collective.
   *
   * @param replaced a supplier of the number of bytes of older content that these values replace;
   *     called once; if it fails on one rank, this method fails on all ranks
   */
  MemorySegment own(String path, Datatype type, List<Value> values, LongSupplier replaced) {
    return heap.store(path, replaced, writer -> encode(writer, type, values));
  }

  /**
   * Encodes the values of this rank together with their content, for chunks that store both.
   * Collective if the type contains references, whose data may be stored in the global heap.
   *
   * @return a supplier of the elements. If a value does not fit its type, the supplier fails; if
   *     the type contains references, this method fails instead, on all ranks
   */
  Supplier<MemorySegment> packed(String path, Datatype type, List<Value> values) {
    if (!ElementTransfer.refersToObjects(type)) {
      return () -> packed(MISSING, type, values);
    }
    MemorySegment encoded =
        heap.store(path, () -> 0, writer -> packed(recordingIn(writer), type, values));
    return () -> encoded;
  }

  private MemorySegment packed(HeapSink references, Datatype type, List<Value> values) {
    PackedSink sink = new PackedSink(references);
    return sink.join(new ValueWriter(widths, sink).writeAll(type, values));
  }

  /** Encodes values that are equal on all ranks. Collective. */
  public MemorySegment common(String path, Datatype type, List<Value> values, long replaced) {
    return heap.storeCommon(path, replaced, writer -> encode(writer, type, values));
  }

  private MemorySegment encode(GlobalHeapWriter writer, Datatype type, List<Value> values) {
    return new ValueWriter(widths, recordingIn(writer)).writeAll(type, values);
  }

  /**
   * Returns a sink that adds content to a writer and records it as stored; discards the earlier
   * records.
   */
  private HeapSink recordingIn(GlobalHeapWriter writer) {
    stored.clear();
    bytes = 0;
    return content -> {
      Reference at = writer.add(content);
      stored.add(at);
      bytes += content.byteSize();
      return at;
    };
  }

  /**
   * Excludes the stored content from {@link #giveUp}, since elements may refer to it from now on,
   * even if their write fails. Local.
   */
  void keep() {
    stored.clear();
    bytes = 0;
  }

  /**
   * Releases the stored content, which no element will use; does nothing after {@link #keep}.
   * Local.
   */
  public void giveUp() {
    heap.release(stored, bytes);
  }
}
