package io.skerry.internal.dataset.virtual.source;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.source.SourceFile;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.internal.dataset.FlatReader;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.open.DatasetHeader;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A dataset whose elements are in one block of a file or in its object header, so that it can be
 * read without a chunk cache and without decoding chunks. Local, thread-safe.
 */
final class FlatSource implements SourceDatasets.Source {
  private final SourceFile file;
  private final String path;
  private final Shape shape;
  private final Datatype type;
  private final FlatReader reader;

  private FlatSource(SourceFile file, String path, Shape shape, Datatype type, Storage storage) {
    this.file = file;
    this.path = path;
    this.shape = shape;
    this.type = type;
    this.reader = FlatReader.of(file.format().source(), shape, type.size(), storage);
  }

  /**
   * Opens a dataset.
   *
   * @param path the path of the dataset, relative to the root group
   * @return the dataset; empty if its elements are stored in another way, if a soft or external
   *     link leads to it, or if it cannot be opened for any reason. The caller then opens the file
   *     in full, which reports the reason.
   */
  static Optional<SourceDatasets.Source> open(SourceFile file, String path) {
    try {
      return header(file.format(), path).flatMap(header -> open(file, path, header));
    } catch (FormatException | UnsupportedFeatureException | MemoryLimitException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<SourceDatasets.Source> open(
      SourceFile file, String path, ObjectHeader header) {
    DatasetHeader messages = new DatasetHeader(header);
    Datatype type = messages.type();
    var unused = messages.fill(type);
    return messages
        .flat(type)
        .map(storage ->
            new FlatSource(
                file, path.startsWith("/") ? path : "/" + path, messages.shape(), type, storage));
  }

  /** Returns the header of the object at a path; empty if a link is missing or not a hard link. */
  private static Optional<ObjectHeader> header(FormatFile format, String path) {
    ObjectHeader at = format.root();
    for (String name : path.split("/")) {
      if (!name.isEmpty() && !name.equals(".")) {
        Optional<LinkMessage> link = format.link(at, name);
        if (link.isEmpty() || !(link.get().target() instanceof LinkTarget.Hard(long address))) {
          return Optional.empty();
        }
        at = format.header(address);
      }
    }
    return Optional.of(at);
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public Datatype datatype() {
    return type;
  }

  /**
   * {@inheritDoc}
   *
   * @throws FormatException if the file is shorter than when it was opened, or cannot be read
   */
  @Override
  public void read(Selection selection, Datatype memory, MemorySegment values) {
    reader.read(selection, new TypedMemory(values, Conversion.between(type, memory, path)));
    file.endOpening();
  }

  @Override
  public boolean isDense() {
    return true;
  }

  @Override
  public Selection defined(Selection selection) {
    return selection;
  }
}
