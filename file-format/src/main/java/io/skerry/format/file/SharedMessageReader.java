package io.skerry.format.file;

import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.heap.FractalHeap;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.SharedMessageResolver;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.SharedTableMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.shared.SharedMessageTable;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads shared messages: committed datatypes from their object headers, and all other shared
 * messages from the fractal heap for their message type.
 */
final class SharedMessageReader implements SharedMessageResolver {
  /** Messages that identify an object as a dataset or a group. */
  private static final List<Class<? extends Message>> OTHER_KINDS =
      List.of(
          LayoutMessage.class,
          DataspaceMessage.class,
          SymbolTableMessage.class,
          LinkInfoMessage.class,
          GroupInfoMessage.class,
          LinkMessage.class);

  private final ByteSource source;
  private final Widths widths;
  private final Optional<SharedMessageTable> table;
  private final Map<Long, FractalHeap> heaps = new ConcurrentHashMap<>();

  SharedMessageReader(ByteSource source, Widths widths, Optional<ObjectHeader> extension) {
    this.source = source;
    this.widths = widths;
    this.table =
        extension
            .flatMap(header -> header.find(SharedTableMessage.class))
            .map(message -> SharedMessageTable.read(source, widths, message));
  }

  /** Returns the table of shared messages, if the file has one. */
  Optional<SharedMessageTable> table() {
    return table;
  }

  @Override
  public Optional<MemorySegment> body(int type, SharedReference reference) {
    return Optional.of(
        switch (reference) {
          case SharedReference.Committed(long address) -> committed(type, address);
          case SharedReference.Pooled(Bytes heapId) -> pooled(type, heapId.segment());
        });
  }

  /**
   * Returns the body of an attribute message that is stored in the shared message heap.
   *
   * @param heapId the heap ID of the message, from a record of dense attribute storage
   */
  MemorySegment pooledAttribute(MemorySegment heapId) {
    return pooled(AttributeMessage.TYPE, heapId);
  }

  /**
   * Returns the body of the datatype message of a committed datatype. This message is itself never
   * shared, so there is no recursion.
   */
  private MemorySegment committed(int type, long address) {
    if (type != DatatypeMessage.TYPE) {
      throw new FormatException("type of a message shared with another object", 3, type)
          .atAddress(address);
    }
    ObjectHeader header = ObjectHeader.read(source, widths, address);
    List<DatatypeMessage> found = header.all(DatatypeMessage.class);
    if (found.isEmpty() || OTHER_KINDS.stream().anyMatch(header::has)) {
      throw new FormatException("committed datatype", "a datatype", "an object of another kind")
          .atAddress(address)
          .inFile(source.name());
    }
    return found.getFirst().body().segment();
  }

  private MemorySegment pooled(int type, MemorySegment heapId) {
    long heap =
        table
            .flatMap(known -> known.index(type))
            .map(SharedMessageTable.Index::heapAddress)
            .filter(FileAddress::isDefined)
            .orElseThrow(() ->
                new FormatException("shared message of type " + type, "a heap for its kind", "none")
                    .inFile(source.name()));
    return heaps.computeIfAbsent(heap, at -> FractalHeap.open(source, widths, at)).object(heapId);
  }
}
