package io.skerry.jobs;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.type.Datatype;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Compares a written file with its source, collectively: the defined set is what was kept, every
 * kept value is the source's, and everything else reads as the fill value, which is zero.
 */
final class Verifier {
  private final FrameReader source;
  private final Stopwatch reading;
  private final Dataset events;
  private final Dataset counts;
  private final Optional<Dataset> full;
  private final Optional<Dataset> fullIndex;
  private final int every;

  Verifier(
      H5File file,
      FrameReader source,
      LclsOptions.Mode mode,
      OptionalInt every,
      Stopwatch reading) {
    this.source = source;
    this.reading = reading;
    this.events = file.dataset(DetectorJob.EVENTS);
    this.counts = file.dataset(DetectorJob.SPOT_COUNTS);
    this.every = every.orElse(1);
    boolean hasFull = every.isPresent();
    this.full = hasFull ? Optional.of(file.dataset(DetectorJob.FULL)) : Optional.empty();
    this.fullIndex =
        hasFull ? Optional.of(file.dataset(DetectorJob.FULL_INDEX)) : Optional.empty();
  }

  /** Bytes of the whole frames in the file. Local. */
  long fullBytes() {
    return full.map(dataset -> dataset.usage().bytes()).orElse(0L);
  }

  /**
   * Whether these frames are in the file as they should be. Collective.
   *
   * @param kept what the source says is to be kept
   * @param data the source's pixels
   */
  boolean holds(Batches.Share share, KeptFrames kept, MemorySegment data) {
    FrameShape shape = source.shape();
    Selection frames =
        share.count() == 0
            ? Selection.none()
            : Selection.at(share.first(), 0, 0)
                .extent(share.count(), shape.rows(), shape.columns());
    Datatype memory = FrameReader.memory(source.pixelType());
    MemorySegment values =
        MemorySegment.ofArray(new byte[Math.toIntExact(kept.values().byteSize())]);
    MemorySegment whole = MemorySegment.ofArray(new byte[Math.toIntExact(data.byteSize())]);
    reading.start();
    Selection defined = events.defined(frames);
    events.read(kept.selection(), memory, values);
    events.read(frames, memory, whole);
    int[] spots = counts.readInts(slice(share));
    reading.stop();
    // Collective, so it must not depend on what this rank found so far.
    boolean sameWholeFrames = holdsWholeFrames(share, data, memory);
    return sameWholeFrames
        && sameSet(defined, kept.selection())
        && values.mismatch(kept.values()) == -1
        && whole.mismatch(kept.alone(data, source.pixelType().bytes())) == -1
        && Arrays.equals(spots, kept.spots());
  }

  /** Whether the file defines no more than was kept of all frames. Collective. */
  boolean hasNothingElse(long kept) {
    reading.start();
    long defined = events.defined(Selection.all()).count(events.shape());
    reading.stop();
    return defined == kept && events.shape().extent(0) == source.shape().frames();
  }

  private boolean sameSet(Selection found, Selection expected) {
    return found.subtract(expected).count(events.shape()) == 0
        && expected.subtract(found).count(events.shape()) == 0;
  }

  private static Selection slice(Batches.Share share) {
    return share.count() == 0
        ? Selection.none()
        : Selection.at(share.first()).extent(share.count());
  }

  private boolean holdsWholeFrames(Batches.Share share, MemorySegment data, Datatype memory) {
    if (full.isEmpty() || fullIndex.isEmpty()) {
      return true;
    }
    FrameShape shape = source.shape();
    long first = Math.ceilDiv(share.first(), (long) every);
    int count = (int) (Math.ceilDiv(share.first() + share.count(), (long) every) - first);
    long frameBytes = (long) shape.framePixels() * memory.size();
    MemorySegment found =
        MemorySegment.ofArray(new byte[Math.toIntExact(count * frameBytes)]);
    Selection which =
        count == 0
            ? Selection.none()
            : Selection.at(first, 0, 0).extent(count, shape.rows(), shape.columns());
    reading.start();
    full.get().read(which, memory, found);
    long[] numbers =
        fullIndex
            .get()
            .readLongs(count == 0 ? Selection.none() : Selection.at(first).extent(count));
    reading.stop();
    boolean same = true;
    for (int i = 0; i < count; i++) {
      long number = (first + i) * every;
      long at = (number - share.first()) * frameBytes;
      same &= numbers[i] == number;
      same &=
          found
                  .asSlice(i * frameBytes, frameBytes)
                  .mismatch(data.asSlice(at, frameBytes))
              == -1;
    }
    return same;
  }
}
