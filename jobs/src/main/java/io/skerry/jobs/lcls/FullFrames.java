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

  /** The datasets, the datatype in memory, and the interval between frames stored in full. */
  private record Target(Dataset frames, Dataset index, Datatype memory, int every) {}

  private final Optional<Target> target;

  private FullFrames(Optional<Target> target) {
    this.target = target;
  }

  /** Creates the datasets. Collective. */
  static FullFrames create(H5File file, FrameReader source, OptionalInt every) {
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
    frames.setAttribute(Attribute.of("units", source.units()));
    frames.setAttribute(Attribute.of("every", every.getAsInt()));
    long expected = Math.ceilDiv(shape.frames(), (long) every.getAsInt());
    Dataset index =
        file.createDataset(FrameStore.FULL_INDEX, FrameStore.growing(Datatype.I64, expected));
    return of(frames, index, source, every.getAsInt());
  }

  /** Opens the datasets of an interrupted run. Collective. */
  static FullFrames open(H5File file, FrameReader source, OptionalInt every) {
    return every.isEmpty()
        ? new FullFrames(Optional.empty())
        : of(
            file.dataset(FrameStore.FULL),
            file.dataset(FrameStore.FULL_INDEX),
            source,
            every.getAsInt());
  }

  private static FullFrames of(Dataset frames, Dataset index, FrameReader source, int every) {
    Datatype memory = FrameReader.memory(source.pixelType());
    return new FullFrames(Optional.of(new Target(frames, index, memory, every)));
  }

  /**
   * Extends or truncates the datasets to the number of full frames among the first {@code end}
   * frames. Collective.
   *
   * @param end the number of frames that all ranks together have stored
   */
  void extend(long end) {
    target.ifPresent(to -> {
      long stored = Math.ceilDiv(end, (long) to.every());
      to.frames().extend(stored);
      to.index().extend(stored);
    });
  }

  /**
   * Stores the full frames among the frames of this rank. Collective.
   *
   * @param loaded the frames of this rank
   * @param end the number of frames that all ranks together have stored after this batch
   * @param shape the shape of all frames
   */
  void write(LoadedFrames loaded, long end, FrameShape shape) {
    if (target.isEmpty()) {
      return;
    }
    Target to = target.get();
    extend(end);
    FramePartition.Share whole = loaded.share().every(to.every());
    long frameBytes = (long) shape.framePixels() * to.memory().size();
    MemorySegment pixels =
        MemorySegment.ofArray(new byte[Math.toIntExact(whole.count() * frameBytes)]);
    long[] numbers = new long[whole.count()];
    for (int i = 0; i < whole.count(); i++) {
      numbers[i] = (whole.first() + i) * to.every();
      long at = (numbers[i] - loaded.share().first()) * frameBytes;
      MemorySegment.copy(loaded.data(), at, pixels, i * frameBytes, frameBytes);
    }
    to.frames().write(whole.selection(shape), to.memory(), pixels);
    to.index().write(whole.selection(), numbers);
  }
}
