package io.skerry.iod.connector;

import io.skerry.exception.FormatException;
import io.skerry.iod.connector.tile.TileLayout;
import io.skerry.iod.connector.tile.TileMemory;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.DatasetMetadata;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.selection.Shape;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The datasets of a file that are in use. All objects for one dataset share its state, so they have
 * the same extent. Thread-safe.
 */
final class OpenDatasets {
  private final Map<ObjectId, Entry> entries = new HashMap<>();
  private final ReferenceQueue<State> unused = new ReferenceQueue<>();
  private final TileMemory memory;

  /**
   * Creates an empty set of datasets.
   *
   * @param memory the memory for the tiles of all datasets
   */
  OpenDatasets(TileMemory memory) {
    this.memory = memory;
  }

  /** The state of a dataset. */
  static final class State {
    private final StoredObject object;
    private final TileLayout layout;
    private volatile Shape shape;

    /** The number of link changes at which the dataset was last found to exist. */
    private volatile long found = -1;

    State(StoredObject object, TileLayout layout) {
      this.object = object;
      this.layout = layout;
      this.shape = layout.metadata().spec().shape();
    }

    StoredObject object() {
      return object;
    }

    TileLayout layout() {
      return layout;
    }

    /** Returns the current extent; a scalar if the dataspace is null. */
    Shape shape() {
      return shape;
    }

    /**
     * Checks that the dataset exists, unless no links have changed since the last check. Only
     * changes of links can delete it.
     *
     * @param linkChanges the number of link changes
     * @param check throws an exception if the dataset does not exist
     */
    void requirePresent(long linkChanges, Runnable check) {
      if (found != linkChanges) {
        check.run();
        found = linkChanges;
      }
    }

    /** Sets the extent, which has been stored. */
    void resized(Shape after) {
      shape = after;
    }
  }

  /** A weak reference to a state, which lasts as long as an object uses it. */
  private static final class Entry extends WeakReference<State> {
    private final ObjectId id;

    Entry(State state, ReferenceQueue<State> queue) {
      super(state, queue);
      this.id = state.object.id();
    }
  }

  /**
   * Returns the state of a stored dataset.
   *
   * @param object the dataset
   * @throws io.skerry.exception.FormatException if its metadata are damaged; the message names the
   *     container and the object
   * @throws io.skerry.exception.UnsupportedFeatureException if its layout is not supported
   */
  State of(StoredObject object, Values values) {
    try {
      return of(object, values, TileLayout::stored);
    } catch (FormatException e) {
      throw e.inObject(object.id().toString()).inFile(values.container());
    }
  }

  /**
   * Returns the state of a new dataset.
   *
   * @throws IllegalArgumentException if a filter finds its client data invalid
   * @throws io.skerry.exception.UnsupportedFeatureException if its layout is not supported
   */
  State created(StoredObject object, Values values) {
    return of(object, values, TileLayout::of);
  }

  private synchronized State of(
      StoredObject object, Values values, Function<DatasetMetadata, TileLayout> layout) {
    for (Object gone = unused.poll(); gone != null; gone = unused.poll()) {
      if (gone instanceof Entry entry) {
        entries.remove(entry.id, entry);
      }
    }
    return Optional.ofNullable(entries.get(object.id()))
        .flatMap(entry -> Optional.ofNullable(entry.get()))
        .orElseGet(() -> opened(object, values, layout));
  }

  /**
   * Sets the extents of all datasets in use to the stored ones, after an abort. The next operation
   * on a dataset that was created in the aborted transaction fails.
   *
   * @throws io.skerry.exception.FormatException if the metadata of a dataset are damaged
   */
  synchronized void restore(Values values) {
    entries.values().stream()
        .flatMap(entry -> Optional.ofNullable(entry.get()).stream())
        .filter(state -> StoredObject.findPad(values, state.object().id()).isPresent())
        .forEach(state -> {
          DatasetMetadata metadata = DatasetMetadata.read(state.object().metadata(values));
          state.resized(metadata.spec().shape());
        });
  }

  private State opened(
      StoredObject object, Values values, Function<DatasetMetadata, TileLayout> layout) {
    DatasetMetadata metadata = DatasetMetadata.read(object.metadata(values));
    State state = new State(object, layout.apply(metadata).withMemory(memory));
    entries.put(object.id(), new Entry(state, unused));
    return state;
  }
}
