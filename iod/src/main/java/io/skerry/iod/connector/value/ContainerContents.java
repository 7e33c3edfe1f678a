package io.skerry.iod.connector.value;

import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Widths;
import io.skerry.internal.value.StoredContents;
import io.skerry.iod.connector.path.ObjectPaths;
import io.skerry.iod.connector.store.Session;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.CellContents;
import io.skerry.iod.object.model.CellPart;
import io.skerry.iod.object.model.VariableCell;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Access to the content of cells and to the targets of references of an open container. An address
 * in an element is the identifier of an object. The content of a cell is read when it is accessed;
 * a write replaces it. Thread-safe.
 */
public final class ContainerContents implements StoredContents {
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final SegmentAllocator HEAP =
      (bytes, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);

  private final Session session;

  /** The paths of objects, and the counts of link changes and path changes when they were found. */
  private record Known(long linkChanges, long pathChanges, ObjectPaths paths) {}

  private volatile Optional<Known> known = Optional.empty();

  /**
   * A size of the container, in bytes, that does not exceed the current one; 0 until determined.
   */
  private volatile long size;

  /** Creates access to the content of a session. */
  public ContainerContents(Session session) {
    this.session = session;
  }

  @Override
  public String fileName() {
    return session.path().toString();
  }

  @Override
  public Widths widths() {
    return ObjectAddress.WIDTHS;
  }

  /**
   * Returns a size of the container, in bytes. It is determined at the first call, and again when
   * longer content is found. The size limits the length of content in damaged cells; it is
   * requested for each cell, so the files are not visited each time.
   */
  @Override
  public long fileSize() {
    if (size == 0) {
      size = session.bytes();
    }
    return size;
  }

  @Override
  public long largestIndex() {
    // The field holds the length of a region reference.
    return 0xffffffffL;
  }

  @Override
  public long contentLength(VariableLength type, MemorySegment in, long at) {
    long length = located(() -> new CellPart(CellPart.Kind.VARIABLE, 0).decode(in, at).length());
    if (length > fileSize() && !session.isReadOnly()) {
      size = session.bytes();
    }
    return length / StoredContents.baseSize(type);
  }

  /** Runs a step, and adds the path of the file to the message about damage. */
  private <T> T located(Supplier<T> step) {
    try {
      return step.get();
    } catch (FormatException e) {
      throw e.inFile(fileName());
    }
  }

  @Override
  public Optional<MemorySegment> variable(VariableLength type, MemorySegment in, long at) {
    return located(() -> {
      VariableCell cell = new CellPart(CellPart.Kind.VARIABLE, 0).decode(in, at);
      // Zeros denote a cell that was never written; an empty string has an identifier of all ones.
      boolean isNull = cell.blob().isEmpty() && in.get(U64, at) == 0;
      if (isNull) {
        return Optional.empty();
      }
      int size = StoredContents.baseSize(type);
      if (cell.length() % size != 0) {
        throw new FormatException("length of a cell", "a multiple of " + size, cell.length());
      }
      return Optional.of(session.look(values -> CellContents.read(values, cell, HEAP)));
    });
  }

  @Override
  public MemorySegment heapObject(long blob, int length) {
    ObjectId id = located(() -> ObjectAddress.decode(blob));
    if (id.type() != ObjectType.BLOB) {
      throw new FormatException("content of a region reference", "a BLOB", id).inFile(fileName());
    }
    VariableCell cell = new VariableCell(Optional.of(id), Integer.toUnsignedLong(length));
    return session.look(values -> CellContents.read(values, cell, HEAP));
  }

  @Override
  public Optional<String> pathOf(long address) {
    return session.look(values -> ObjectAddress.find(address).flatMap(id -> path(values, id)));
  }

  private Optional<String> path(Values values, ObjectId id) {
    long links = session.linkChanges().all();
    long changes = session.linkChanges().ofPaths();
    Optional<Known> found = known.filter(paths -> paths.pathChanges == changes);
    Optional<String> path = found.flatMap(paths -> paths.paths.path(id));
    if (path.isPresent() || found.filter(paths -> paths.linkChanges == links).isPresent()) {
      return path;
    }
    // Links to new objects do not change the paths of others, so only a new object needs a walk.
    ObjectPaths walked = ObjectPaths.of(values);
    known = Optional.of(new Known(links, changes, walked));
    return walked.path(id);
  }

  @Override
  public boolean isObject(long address) {
    return session.look(values ->
        ObjectAddress.find(address)
            .filter(id -> values.size(new Place.ScratchPad(id.bits())).isPresent())
            .isPresent());
  }
}
