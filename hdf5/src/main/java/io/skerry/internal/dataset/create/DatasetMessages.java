package io.skerry.internal.dataset.create;

import io.skerry.DatasetSpec;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.format.Bytes;
import io.skerry.format.FormatBounds;
import io.skerry.format.block.FileAddress;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.EdgeChunks;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.FillValueMessage.Allocation;
import io.skerry.format.message.dataset.OldFillValueMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Chooses the header messages of a new dataset. */
public final class DatasetMessages {
  private final DatasetSpec spec;
  private final FormatBounds bounds;
  private final List<Message> messages = new ArrayList<>();

  private DatasetMessages(DatasetSpec spec, FormatBounds bounds) {
    this.spec = spec;
    this.bounds = bounds;
  }

  /**
   * Returns the header messages of a new dataset.
   *
   * <p>The layout message of a virtual dataset has no mappings; the caller stores them and replaces
   * the message.
   *
   * @param bounds the format version bounds, which select the form of the messages; the layout
   *     message of structured chunks has only one form
   */
  public static List<Message> messages(DatasetSpec spec, FormatBounds bounds) {
    DatasetMessages made = new DatasetMessages(spec, bounds);
    DatasetSpec.Storage storage = spec.resolvedStorage();
    made.messages.add(
        storage == DatasetSpec.Storage.NULL
            ? DataspaceMessage.empty()
            : DataspaceMessage.of(spec.shape()));
    made.messages.add(DatatypeMessage.of(spec.datatype()));
    switch (storage) {
      case NULL -> made.contiguous(0);
      case CONTIGUOUS -> made.contiguous(spec.bytes());
      case COMPACT -> made.compact();
      case DENSE -> made.dense();
      case SPARSE -> made.structured(FillValueMessage.Writing.IF_SET);
      case STRUCTURED -> made.structured(FillValueMessage.Writing.ON_ALLOCATION);
      case VIRTUAL -> made.virtual();
      case AUTOMATIC -> throw new IllegalStateException("the storage is not resolved");
    }
    return made.messages;
  }

  private void fill(Allocation allocation) {
    fill(allocation, FillValueMessage.Writing.IF_SET);
  }

  private void fill(Allocation allocation, FillValueMessage.Writing writing) {
    FillValueMessage plain =
        spec.fill()
            .map(value -> FillValueMessage.of(Bytes.of(MemorySegment.ofArray(value))))
            .orElseGet(FillValueMessage::zeros);
    messages.add(
        switch (spec.filling()) {
          case VALUE -> new FillValueMessage(allocation, writing, plain.state(), plain.value());
          case NEVER ->
              new FillValueMessage(
                  allocation, FillValueMessage.Writing.NEVER, plain.state(), plain.value());
          case UNDEFINED ->
              new FillValueMessage(
                  allocation, writing, FillValueMessage.State.UNDEFINED, plain.value());
        });
    if (bounds == FormatBounds.EARLIEST) {
      // Readers for the earliest format version support only the old fill value message.
      plain.userValue().ifPresent(value -> messages.add(new OldFillValueMessage(value)));
    }
  }

  private void contiguous(long bytes) {
    fill(Allocation.LATE);
    messages.add(new ContiguousLayout(FileAddress.UNDEFINED, bytes));
  }

  private void compact() {
    fill(Allocation.EARLY);
    int size = spec.datatype().size();
    MemorySegment data = HeapBytes.allocate(spec.shape().elements() * size);
    spec.fill()
        .ifPresent(value -> {
          for (long at = 0; at < data.byteSize(); at += size) {
            MemorySegment.copy(MemorySegment.ofArray(value), 0, data, at, size);
          }
        });
    messages.add(new CompactLayout(Bytes.of(data)));
  }

  private void dense() {
    requireWholeChunks();
    boolean early = spec.allocation() == DatasetSpec.Allocation.EARLY;
    fill(early ? Allocation.EARLY : Allocation.INCREMENTAL);
    messages.addAll(new DenseLayoutMessages(spec, bounds).messages());
  }

  private void requireWholeChunks() {
    ChunkGrid.of(spec.resolvedChunk()).requireWholeChunks(spec.shape());
  }

  /** Returns the treatment of chunks at the edge of the extent. */
  static EdgeChunks edges(DatasetSpec spec) {
    return switch (spec.edges()) {
      case FILTERED -> EdgeChunks.FILTERED;
      case UNFILTERED -> EdgeChunks.UNFILTERED;
    };
  }

  private void virtual() {
    fill(Allocation.INCREMENTAL);
    messages.add(new VirtualLayoutMessage(FileAddress.UNDEFINED, 0));
  }

  private void structured(FillValueMessage.Writing writing) {
    requireWholeChunks();
    fill(Allocation.INCREMENTAL, writing);
    messages.addAll(new StructuredLayoutMessages(spec).messages());
  }
}
