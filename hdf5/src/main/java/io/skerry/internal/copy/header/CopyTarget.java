package io.skerry.internal.copy.header;

import io.skerry.format.FormatBounds;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutForm;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.StoredContents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * The target of a copy. Heap objects that are equal on all ranks (those of attributes, of fill
 * values and of small datasets, and the mappings of virtual datasets) share one series of heap
 * collections, so that small objects waste little space; rank 0 stores these collections.
 */
public final class CopyTarget {
  private final NativeFile file;
  private final Optional<RebasedNames> names;
  private final GlobalHeapWriter heap;
  private final List<BlockImage> blocks = new ArrayList<>();

  /**
   * Creates a target.
   *
   * @param names the rule that changes the names of source files; empty if they are kept
   */
  public CopyTarget(NativeFile file, Optional<RebasedNames> names) {
    this.file = file;
    this.names = names;
    // The allocator is looked up for each collection: if source and target are the same file,
    // a read from that file may flush it, and a flush replaces the allocator.
    this.heap =
        GlobalHeapWriter.create(
            file.tree().widths(),
            List.of(),
            bytes -> file.collective().space().allocateData(bytes).address());
  }

  public NativeFile file() {
    return file;
  }

  /** Returns the rule that changes the names of source files; empty if the names are kept. */
  Optional<RebasedNames> names() {
    return names;
  }

  public Widths widths() {
    return file.tree().widths();
  }

  /** Returns the format version bounds of new objects. */
  FormatBounds bounds() {
    return file.tree().forms().bounds();
  }

  /** Returns whether new objects have the earliest format. */
  boolean isEarly() {
    return bounds() == FormatBounds.EARLIEST;
  }

  /**
   * Returns whether the chunks of a new dataset hold elements together with their variable-length
   * content.
   *
   * @param dataset the address of the object header
   */
  public boolean packs(long dataset) {
    return file.tree().header(dataset).require(LayoutMessage.class) instanceof ChunkedLayout layout
        && layout.form() == LayoutForm.SPARSE_VARIABLE;
  }

  /** Returns the heap for data that are equal on all ranks. */
  public GlobalHeapWriter heap() {
    return heap;
  }

  /**
   * Returns a transfer to the target for elements that are equal on all ranks, and for the heap
   * objects to which they refer.
   *
   * @param contents access to the heap objects in the source file
   * @param objects a function from the address of an object to its new address, or to 0 if
   *     references to the object become null
   */
  public ElementTransfer transfer(StoredContents contents, LongUnaryOperator objects) {
    return new ElementTransfer(contents, widths(), heap::add, objects);
  }

  /** Adds a block that is the same on all ranks; {@link #commit} writes it. */
  void store(BlockImage block) {
    blocks.add(block);
  }

  /** Writes the heap and the blocks. Collective. */
  public void commit(String subject) {
    blocks.addAll(heap.commit());
    boolean first = file.collective().ranks().rank() == 0;
    file.collective().blocks().store(subject, first ? List.copyOf(blocks) : List.of());
    blocks.clear();
  }
}
