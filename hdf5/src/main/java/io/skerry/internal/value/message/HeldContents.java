package io.skerry.internal.value.message;

import io.skerry.format.block.Widths;
import io.skerry.internal.value.StoredContents;
import java.lang.foreign.MemorySegment;

/**
 * Access to heap objects that are in memory. Subclasses find the HDF5 objects to which references
 * refer. Local.
 */
public abstract class HeldContents implements StoredContents {
  private final ElementFile file;
  private final HeldObjects objects;

  /**
   * Creates the access to heap objects.
   *
   * @param file the file that contains the elements
   * @param objects the heap objects
   */
  protected HeldContents(ElementFile file, HeldObjects objects) {
    this.file = file;
    this.objects = objects;
  }

  /** Returns the file that contains the elements. */
  protected final ElementFile file() {
    return file;
  }

  /** Returns the heap objects. */
  protected final HeldObjects objects() {
    return objects;
  }

  @Override
  public final MemorySegment heapObject(long collection, int index) {
    return objects.object(collection, index);
  }

  @Override
  public final String fileName() {
    return file.name();
  }

  @Override
  public final Widths widths() {
    return file.widths();
  }

  @Override
  public final long fileSize() {
    return file.size();
  }

  @Override
  public final long contentSize() {
    return objects.bytes();
  }
}
