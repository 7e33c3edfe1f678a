package io.skerry.internal.file;

import io.skerry.collective.heap.HeapSpace;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeap;
import io.skerry.internal.tree.ObjectPaths;
import io.skerry.internal.value.StoredContents;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Access to the objects and the global heap of an open file, to which its elements refer. Object
 * paths are recomputed only after links have changed. Thread-safe.
 */
final class FileContents implements StoredContents {
  private final NativeFile file;
  private GlobalHeap heap;
  private long version;
  private Optional<ObjectPaths> paths = Optional.empty();
  private long linkChanges;

  FileContents(NativeFile file) {
    this.file = file;
    this.heap = GlobalHeap.open(file.tree().source(), file.tree().widths());
  }

  /**
   * Returns the heap in its current state. If the heap has changed since the last call, it is
   * opened again, because collections that were read before may be outdated.
   */
  private GlobalHeap heap() {
    HeapSpace space = file.collective().heap();
    if (space.version() != version) {
      version = space.version();
      heap = GlobalHeap.open(space.source(), file.tree().widths());
    }
    return heap;
  }

  @Override
  public String fileName() {
    return file.path().toString();
  }

  @Override
  public Widths widths() {
    return file.tree().widths();
  }

  @Override
  public long fileSize() {
    return file.tree().source().size();
  }

  @Override
  public MemorySegment heapObject(long collection, int index) {
    return file.gate().exclusively(() -> heap().object(collection, index));
  }

  @Override
  public Optional<String> pathOf(long address) {
    return file.gate().exclusively(() -> paths().path(address));
  }

  private ObjectPaths paths() {
    if (paths.isEmpty() || linkChanges != file.tree().linkChanges()) {
      linkChanges = file.tree().linkChanges();
      paths = Optional.of(ObjectPaths.of(file.tree()));
    }
    return paths.get();
  }

  @Override
  public boolean isObject(long address) {
    return file.gate().exclusively(() -> hasMessages(address));
  }

  private boolean hasMessages(long address) {
    try {
      return !file.tree().header(address).messages().isEmpty();
    } catch (FormatException | UnsupportedFeatureException | MemoryLimitException e) {
      return false;
    }
  }
}
