package io.skerry.jobs.lcls;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Stores every n-th frame in full in a dense chunked dataset, and the indices of these frames in
 * another dataset. Does nothing if no full frames are to be stored.
 */
final class FullFrames {
  private static final long CHUNK_BYTES = 1 << 20;

  /**
   * The datasets, the datatype in memory, the interval between frames stored in full, and the index
   * in the run of the first frame of the file.
   */
  private record Target(Dataset frames, Dataset index, Datatype memory, int every, long first) {
    /** Returns the number of full frames among the first {@code end} frames of the file. */
    long stored(long end) {
      return Math.ceilDiv(first + end, (long) every) - Math.ceilDiv(first, (long) every);
    }
  }

  private final Optional<Target> target;

  private FullFrames(Optional<Target> target) {
    this.target = target;
  }

  /**
   * Creates the datasets. Collective.
   *
   * @param source the frames of the run, beginning with the first frame of the file
   * @param first the index of the first of these frames in the run
   */
  static FullFrames create(H5File file, FrameReader source, OptionalInt every, long first) {
    if (every.isEmpty()) {
      return new FullFrames(Optional.empty());
    }
    FrameShape shape = source.shape();
    Datatype type = FrameReader.stored(source.pixelType());
    long rowBytes = (long) shape.columns() * type.size();
    Dataset frames =
        file.createDataset(
            FrameStore.FULL,
            DatasetSpec.of(type, Shape.of(0, shape.rows(), shape.columns()).unlimited(0))
                .chunked(1, Math.clamp(CHUNK_BYTES / rowBytes, 1, shape.rows()), shape.columns())
                .filters(Filters.shuffle(), Filters.deflate(4)));
    describe(frames, source, every.getAsInt());
    long expected = Math.ceilDiv(shape.frames(), (long) every.getAsInt());
    Dataset index =
        file.createDataset(FrameStore.FULL_INDEX, FrameStore.growing(Datatype.I64, expected));
    return of(frames, index, source, every.getAsInt(), first);
  }

  /** Sets the attributes of the dataset that holds the full frames. Collective. */
  static void describe(Dataset frames, FrameReader source, int every) {
    frames.setAttribute(Attribute.of("units", source.units()));
    frames.setAttribute(Attribute.of("every", every));
  }

  /** Opens the datasets of an interrupted run. Collective. */
  static FullFrames open(H5File file, FrameReader source, OptionalInt every) {
    return every.isEmpty()
        ? new FullFrames(Optional.empty())
        : of(
            file.dataset(FrameStore.FULL),
            file.dataset(FrameStore.FULL_INDEX),
            source,
            every.getAsInt(),
            0);
  }

  private static FullFrames of(
      Dataset frames, Dataset index, FrameReader source, int every, long first) {
    Datatype memory = FrameReader.memory(source.pixelType());
    return new FullFrames(Optional.of(new Target(frames, index, memory, every, first)));
  }

  /**
   * Extends or truncates the datasets to the number of full frames among the first {@code end}
   * frames. Collective.
   *
   * @param end the total number of frames in the file
   */
  void extend(long end) {
    target.ifPresent(to -> {
      long stored = to.stored(end);
      to.frames().extend(stored);
      to.index().extend(stored);
    });
  }

  /**
   * Stores the full frames among the frames of this rank. Collective.
   *
   * @param loaded the frames of this rank
   * @param end the total number of frames in the file after this batch
   * @param shape the shape of all frames
   */
  void write(LoadedFrames loaded, long end, FrameShape shape) {
    if (target.isEmpty()) {
      return;
    }
    Target to = target.get();
    extend(end);
    // Every n-th frame of the run, not of the file.
    FramePartition.Share share = loaded.share();
    FramePartition.Share whole =
        new FramePartition.Share(to.first() + share.first(), share.count()).every(to.every());
    long frameBytes = (long) shape.framePixels() * to.memory().size();
    MemorySegment pixels =
        MemorySegment.ofArray(new byte[Math.toIntExact(whole.count() * frameBytes)]);
    long[] numbers = new long[whole.count()];
    for (int i = 0; i < whole.count(); i++) {
      numbers[i] = (whole.first() + i) * to.every();
      long at = (numbers[i] - to.first() - share.first()) * frameBytes;
      MemorySegment.copy(loaded.data(), at, pixels, i * frameBytes, frameBytes);
    }
    FramePartition.Share stored =
        new FramePartition.Share(
            whole.first() - Math.ceilDiv(to.first(), (long) to.every()), whole.count());
    to.frames().write(stored.selection(shape), to.memory(), pixels);
    to.index().write(stored.selection(), numbers);
  }

  /** Returns the size of the stored full frames as of the last flush, in bytes. Local. */
  long bytes() {
    return target.map(to -> to.frames().usage().bytes()).orElse(0L);
  }
}
