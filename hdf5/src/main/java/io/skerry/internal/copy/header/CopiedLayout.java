package io.skerry.internal.copy.header;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayoutMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.internal.file.NativeFile;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates the layout and filter messages of a copy that has the same storage as the source dataset.
 * Every rank creates the same messages.
 *
 * @param old the object header of the source dataset
 * @param type the datatype of the elements of the copy
 */
record CopiedLayout(NativeFile from, ObjectHeader old, Datatype type, CopyTarget target) {
  List<Message> messages() {
    DataspaceMessage space = old.require(DataspaceMessage.class);
    return switch (old.require(LayoutMessage.class)) {
      case CompactLayout _ ->
          List.of(new CompactLayout(Bytes.of(HeapBytes.allocate(bytes(space)))));
      case ContiguousLayout _ -> contiguous(space);
      case ChunkedLayout chunked ->
          new CopiedChunkLayout(from, old, chunked, space.shape(), target.bounds())
              .messages(type.size());
      case VirtualLayoutMessage mapped -> List.of(new CopiedMappings(from, target).copy(mapped));
    };
  }

  private List<Message> contiguous(DataspaceMessage space) {
    List<Message> messages = new ArrayList<>();
    messages.add(new ContiguousLayout(FileAddress.UNDEFINED, bytes(space)));
    old.find(ExternalFilesMessage.class)
        .map(new CopiedExternalFiles(from, target)::copy)
        .ifPresent(messages::add);
    return messages;
  }

  private long bytes(DataspaceMessage space) {
    long elements = space.elements();
    if (elements > Long.MAX_VALUE / type.size()) {
      throw new FormatException("bytes of a dataset", "below 2^63", elements + " elements");
    }
    return elements * type.size();
  }
}
