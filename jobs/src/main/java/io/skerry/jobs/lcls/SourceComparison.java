package io.skerry.jobs.lcls;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.file.ChunkBands;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Compares a written file with its source: the defined elements must be the kept pixels, every kept
 * pixel must have the same value as in the source, and all other elements must have the fill value,
 * which is zero. Collective.
 */
final class SourceComparison {
  private final FrameReader source;
  private final Stopwatch reading;
  private final Dataset events;
  private final Dataset counts;
  private final Optional<Whole> whole;

  /**
   * The dataset of the full frames, the dataset of their indices, and the interval, in frames,
   * between full frames.
   */
  private record Whole(Dataset frames, Dataset index, int every) {}

  private SourceComparison(
      FrameReader source,
      Stopwatch reading,
      Dataset events,
      Dataset counts,
      Optional<Whole> whole) {
    this.source = source;
    this.reading = reading;
    this.events = events;
    this.counts = counts;
    this.whole = whole;
  }

  /**
   * Opens the datasets. Collective.
   *
   * @param reading the stopwatch for the reading time
   * @throws io.skerry.NoSuchObjectException on all ranks if a dataset is missing
   * @throws io.skerry.parallel.CollectiveException on all ranks if an object cannot be opened
   * @throws JobException on all ranks if an object is not a dataset or does not have the expected
   *     datatype
   */
  static SourceComparison open(
      H5File file,
      FrameReader source,
      LclsOptions.Mode mode,
      OptionalInt every,
      Stopwatch reading,
      Agreement agreement) {
    Datatype pixel = FrameReader.stored(source.pixelType());
    Dataset events = dataset(file, FrameStore.EVENTS, pixel, agreement);
    Dataset counts = dataset(file, FrameStore.SPOT_COUNTS, Datatype.U32, agreement);
    Optional<Whole> whole =
        every.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Whole(
                    dataset(file, FrameStore.FULL, pixel, agreement),
                    dataset(file, FrameStore.FULL_INDEX, Datatype.I64, agreement),
                    every.getAsInt()));
    return new SourceComparison(source, reading, events, counts, whole);
  }

  private static Dataset dataset(H5File file, String path, Datatype type, Agreement agreement) {
    H5Object object = file.object(path);
    return agreement.each(
        "opening " + path,
        () -> {
          if (object instanceof Dataset dataset && dataset.datatype().equals(type)) {
            return dataset;
          }
          throw new JobException(
              "not the dataset that was written: path=" + path + " file=" + file.path());
        });
  }

  /** Returns the size of the full frames in the file, in bytes. Local. */
  long fullBytes() {
    return whole.map(stored -> stored.frames().usage().bytes()).orElse(0L);
  }

  /**
   * Returns whether the file has the expected frames. Collective; the result covers only the frames
   * of this rank.
   *
   * @param expected the frames of this rank, from the source
   */
  boolean holds(LoadedFrames expected) {
    FramePartition.Share share = expected.share();
    SelectedPixels kept = expected.kept();
    Selection frames = share.selection(source.shape());
    Datatype memory = FrameReader.memory(source.pixelType());
    MemorySegment values = sameSize(kept.values());
    MemorySegment pixels = sameSize(expected.data());
    reading.start();
    Selection defined = events.defined(frames);
    events.read(kept.selection(), memory, values);
    events.read(frames, memory, pixels);
    int[] spots = counts.readInts(share.selection());
    reading.stop();
    // This call is collective, so it must not depend on the comparisons of this rank.
    boolean sameWholeFrames = holdsWholeFrames(expected, memory);
    return sameWholeFrames
        && sameSet(defined, kept.selection())
        && values.mismatch(kept.values()) == -1
        && pixels.mismatch(kept.onlyKept(expected.data(), source.pixelType().bytes())) == -1
        && Arrays.equals(spots, kept.spots());
  }

  /**
   * Returns whether the file contains nothing besides what is compared frame by frame, that is,
   * whether the number of defined elements and the extents of the datasets are as expected.
   * Collective.
   *
   * @param kept the number of kept pixels of all frames
   */
  boolean hasNothingElse(long kept) {
    reading.start();
    long defined = ChunkBands.defined(events, Selection.all());
    reading.stop();
    FrameShape shape = source.shape();
    boolean same =
        defined == kept
            && hasExtent(events, shape.frames(), shape.rows(), shape.columns())
            && hasExtent(counts, shape.frames());
    if (whole.isPresent()) {
      long stored = Math.ceilDiv(shape.frames(), (long) whole.get().every());
      same &= hasExtent(whole.get().frames(), stored, shape.rows(), shape.columns());
      same &= hasExtent(whole.get().index(), stored);
    }
    return same;
  }

  private static boolean hasExtent(Dataset dataset, long... extent) {
    return Arrays.equals(dataset.shape().extent(), extent);
  }

  private boolean sameSet(Selection found, Selection expected) {
    Shape shape = events.shape();
    return found.subtract(expected).count(shape) == 0 && expected.subtract(found).count(shape) == 0;
  }

  private static MemorySegment sameSize(MemorySegment data) {
    return MemorySegment.ofArray(new byte[Math.toIntExact(data.byteSize())]);
  }

  private boolean holdsWholeFrames(LoadedFrames expected, Datatype memory) {
    if (whole.isEmpty()) {
      return true;
    }
    Whole stored = whole.get();
    FrameShape shape = source.shape();
    FramePartition.Share share = expected.share().every(stored.every());
    long frameBytes = (long) shape.framePixels() * memory.size();
    MemorySegment found =
        MemorySegment.ofArray(new byte[Math.toIntExact(share.count() * frameBytes)]);
    reading.start();
    stored.frames().read(share.selection(shape), memory, found);
    long[] numbers = stored.index().readLongs(share.selection());
    reading.stop();
    boolean same = true;
    for (int i = 0; i < share.count(); i++) {
      long number = (share.first() + i) * stored.every();
      long at = (number - expected.share().first()) * frameBytes;
      MemorySegment frame = found.asSlice(i * frameBytes, frameBytes);
      same &= numbers[i] == number;
      same &= frame.mismatch(expected.data().asSlice(at, frameBytes)) == -1;
    }
    return same;
  }
}
