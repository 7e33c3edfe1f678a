package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.benchmarks.KeptPixels;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The writes and reads of the detector job: the kept pixels of each frame are written to a sparse
 * dataset with one chunk per frame; after every few frames, the file is flushed. A read finds the
 * defined pixels of each frame and reads them.
 */
final class IodFrames implements IodBenchmark.Task {
  private static final String DATASET = "frames";
  private static final int LEVEL = 4;

  private final IodOptions options;
  private final List<StoreLocation> stores;
  private final Shape shape;
  private final long expected;
  private final List<Selection> pixels = new ArrayList<>();
  private final List<short[]> values = new ArrayList<>();

  IodFrames(IodOptions options, String name, KeptPixels choice) {
    this.options = options;
    this.stores = new ArrayList<>(options.containers(name));
    stores.add(options.file(name));
    Frames frames = new Frames(options.frames(), choice);
    this.shape = frames.shape();
    this.expected = frames.checksum();
    for (int frame = 0; frame < frames.count(); frame++) {
      pixels.add(frames.selection(frame));
      values.add(frames.values(frame));
    }
  }

  @Override
  public Race writes(String name) {
    Race race = new Race(name, options.warmUps());
    for (StoreLocation store : stores) {
      race.add(
          store.name(),
          () -> {
            store.delete();
            long start = System.nanoTime();
            write(store);
            return new Race.Timed((System.nanoTime() - start) / 1e9, () -> options.frames());
          });
    }
    return race;
  }

  private void write(StoreLocation store) {
    DatasetSpec spec =
        DatasetSpec.of(Datatype.U16, shape)
            .filters(Filters.shuffle(), Filters.deflate(LEVEL))
            .sparse(1, Frames.SIDE, Frames.SIDE);
    try (H5File file = store.create()) {
      Dataset dataset = file.createDataset(DATASET, spec);
      for (int frame = 0; frame < pixels.size(); frame++) {
        dataset.write(pixels.get(frame), values.get(frame));
        if ((frame + 1) % options.framesPerFlush() == 0) {
          file.flush();
        }
      }
    }
  }

  @Override
  public Race reads(String name) {
    Race race = new Race(name, options.warmUps());
    for (StoreLocation store : stores) {
      race.add(store.name(), () -> read(store));
    }
    return race;
  }

  private Race.Check read(StoreLocation store) {
    List<Selection> found = new ArrayList<>();
    List<short[]> read = new ArrayList<>();
    try (H5File file = store.open()) {
      Dataset dataset = file.dataset(DATASET);
      for (long frame = 0; frame < shape.extent(0); frame++) {
        Selection all = Selection.at(frame, 0, 0).extent(1, Frames.SIDE, Frames.SIDE);
        Selection defined = dataset.defined(all);
        found.add(defined);
        read.add(dataset.readShorts(defined));
      }
    }
    return () -> checksum(found, read);
  }

  private long checksum(List<Selection> found, List<short[]> read) {
    long sum = 0;
    for (int frame = 0; frame < read.size(); frame++) {
      long[] at = found.get(frame).toCoordinates(shape);
      short[] some = read.get(frame);
      for (int i = 0; i < some.length; i++) {
        sum += Frames.token(at[3 * i], at[3 * i + 1], at[3 * i + 2], some[i]);
      }
    }
    if (sum != expected) {
      throw new IllegalStateException("wrong values: expected=" + expected + " actual=" + sum);
    }
    return sum;
  }

  @Override
  public void delete() throws IOException {
    for (StoreLocation store : stores) {
      store.delete();
    }
  }
}
