package io.skerry.iod.object.model;

import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.iod.object.BlobObject;
import io.skerry.iod.object.BlobWriter;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads and writes the contents of variable-length cells and of region references. Methods are
 * local and throw the exceptions of {@link ValueChanges}.
 *
 * @param changes the changes of the transaction
 * @param ids the source of numbers for new BLOBs
 */
public record CellContents(ValueChanges changes, IdSource ids) {
  /**
   * Returns the content of a cell.
   *
   * @param memory allocates the memory of the content
   * @throws FormatException if the BLOB is missing or has another size
   */
  public static MemorySegment read(Values values, VariableCell cell, SegmentAllocator memory) {
    return cell.blob()
        .map(id -> new BlobObject(id, values).readKnown(cell.length(), memory))
        .orElseGet(() -> memory.allocate(0));
  }

  /**
   * Stores the content of a cell. The BLOB of the cell is reused, or removed if there is no
   * content.
   *
   * @param before the previous cell; {@link VariableCell#EMPTY} for one that was never written
   * @return the cell to store in the tile
   */
  public VariableCell write(VariableCell before, MemorySegment content) {
    if (content.byteSize() == 0) {
      delete(changes, before);
      return VariableCell.EMPTY;
    }
    if (before.blob().isPresent()) {
      new BlobWriter(before.blob().get(), changes).replace(content);
      return new VariableCell(before.blob(), content.byteSize());
    }
    ObjectId blob = ObjectId.of(ObjectType.BLOB, ids.next(ObjectType.BLOB));
    new BlobWriter(blob, changes).create(content);
    return new VariableCell(Optional.of(blob), content.byteSize());
  }

  /** Removes the content of a cell. */
  public static void delete(ValueChanges changes, VariableCell cell) {
    cell.blob().ifPresent(blob -> new BlobWriter(blob, changes).delete());
  }

  /**
   * Decodes the cells in elements.
   *
   * @param type the datatype of an element
   * @param elements the elements, one after the other
   * @param found receives each cell that has content
   * @throws FormatException if an element is incomplete, or a cell is damaged
   */
  public static void forEach(Datatype type, MemorySegment elements, Consumer<VariableCell> found) {
    List<CellPart> parts = CellPart.of(type);
    if (elements.byteSize() % type.size() != 0) {
      throw new FormatException(
          "size of cells", "a multiple of " + type.size(), elements.byteSize());
    }
    for (long at = 0; at < elements.byteSize() && !parts.isEmpty(); at += type.size()) {
      for (CellPart part : parts) {
        VariableCell cell = part.decode(elements, at);
        if (cell.blob().isPresent()) {
          found.accept(cell);
        }
      }
    }
  }
}
