package io.skerry.format.header;

import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Corrects the size of a contiguous layout of version 1 or 2, which truncates dimensions to 32
 * bits. Like HDF5, computes the size from the dataspace and the datatype.
 */
final class EarlyContiguousSize {
  private EarlyContiguousSize() {}

  /**
   * Returns the messages with a corrected layout; unchanged if the dataspace or the datatype is
   * missing, damaged or left as a reference, or if the size exceeds 2^63-1 bytes.
   */
  static List<HeaderMessage> corrected(List<HeaderMessage> messages) {
    Optional<DataspaceMessage> space = find(messages, DataspaceMessage.class);
    Optional<DatatypeMessage> type = find(messages, DatatypeMessage.class);
    if (space.isEmpty() || type.isEmpty()) {
      return messages;
    }
    long elements = space.get().elements();
    long size = type.get().elementSize();
    if (size > 0 && elements > Long.MAX_VALUE / size) {
      return messages;
    }
    return messages.stream()
        .map(entry ->
            entry.message() instanceof ContiguousLayout(long address, _)
                ? new HeaderMessage(
                    new ContiguousLayout(address, elements * size),
                    entry.flags(),
                    entry.creationOrder(),
                    entry.shared())
                : entry)
        .toList();
  }

  private static <M> Optional<M> find(List<HeaderMessage> messages, Class<M> kind) {
    return messages.stream()
        .flatMap(entry -> Stream.of(entry.message()).filter(kind::isInstance).map(kind::cast))
        .findFirst();
  }
}
