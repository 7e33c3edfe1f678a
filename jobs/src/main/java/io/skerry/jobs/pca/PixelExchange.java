package io.skerry.jobs.pca;

import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Turns frames that are spread over the ranks into pixels that are: every rank gets all values of
 * some consecutive pixels. If they are too many for its memory, in several rounds, in each of which
 * the frames are gone through again.
 */
final class PixelExchange {
  /** Memory for one value: its frame, itself, and what is on the way. */
  private static final long VALUE_BYTES = 16;

  /** The most values of one round, for one array. */
  private static final long MOST = 1 << 28;

  private final Communicator ranks;
  private final Agreement agreement;
  private final ActivePixels pixels;
  private final int frames;
  private final int rounds;
  private final int[] cuts;

  /**
   * @param frames of all ranks
   * @param room bytes for the values of one round
   */
  PixelExchange(
      Communicator ranks, Agreement agreement, ActivePixels pixels, int frames, long room) {
    this.ranks = ranks;
    this.agreement = agreement;
    this.pixels = pixels;
    this.frames = frames;
    long all = 0;
    for (int number = 0; number < pixels.size(); number++) {
      all += pixels.count(number);
    }
    long most = Math.clamp(room / VALUE_BYTES, 1, MOST);
    // Ranks may have been given different memory.
    long wanted = Math.min(pixels.size(), Math.ceilDiv(all, most * ranks.size()));
    rounds = (int) Math.max(1, ranks.allReduce(wanted, Reduction.MAX));
    cuts = cut(all, Math.multiplyExact(rounds, ranks.size()));
  }

  /** Where pixels are cut, so that all parts have about as many values. */
  private int[] cut(long all, int parts) {
    int[] begins = new int[parts + 1];
    int number = 0;
    long before = 0;
    for (int part = 1; part < parts; part++) {
      while (number < pixels.size() && before < all / parts * part + all % parts * part / parts) {
        before += pixels.count(number++);
      }
      begins[part] = number;
    }
    begins[parts] = pixels.size();
    return begins;
  }

  /** How often the frames are gone through. */
  int rounds() {
    return rounds;
  }

  /**
   * Gives this rank its pixels. Collective.
   *
   * @param taker is shown each, by frame; the vector is used again
   */
  void exchange(LocalFrames local, ProgressDisplay progress, Consumer<SparseVector> taker) {
    long steps = ranks.allReduce(local.batches(), Reduction.MAX);
    for (int round = 0; round < rounds; round++) {
      int current = round;
      Part part = agreement.each("making room for pixels", () -> new Part(current));
      for (int step = 0; step < steps; step++) {
        int batch = step;
        long[][] messages =
            agreement.each("reading frames", () -> messages(current, local, batch, progress));
        send(messages, part);
      }
      agreement.each(
          "multiplying",
          () -> {
            part.give(taker);
            return true;
          });
    }
  }

  private int first(int round, int rank) {
    return cuts[round * ranks.size() + rank];
  }

  /** What goes to each rank of a batch: number of pixel and frame, value, and so on. */
  private long[][] messages(int round, LocalFrames local, int step, ProgressDisplay progress) {
    long[][] messages = new long[ranks.size()][0];
    if (step >= local.batches()) {
      return messages;
    }
    FrameBatch batch = local.batch(step);
    int[] counts = new int[ranks.size()];
    forEachValue(round, batch, (rank, _, _, _) -> counts[rank] += 2);
    for (int rank = 0; rank < counts.length; rank++) {
      messages[rank] = new long[counts[rank]];
    }
    Arrays.fill(counts, 0);
    forEachValue(
        round,
        batch,
        (rank, number, frame, value) -> {
          messages[rank][counts[rank]++] = (long) number << 32 | frame;
          messages[rank][counts[rank]++] = Double.doubleToRawLongBits(value);
        });
    progress.advance(batch.frames());
    return messages;
  }

  /** Takes a value and whose it is. */
  private interface ValueTaker {
    void take(int rank, int number, int frame, double value);
  }

  private void forEachValue(int round, FrameBatch batch, ValueTaker taker) {
    int begin = first(round, 0);
    int end = first(round, ranks.size());
    for (int frame = 0; frame < batch.frames(); frame++) {
      int rank = 0;
      for (int i = batch.begin(frame); i < batch.end(frame); i++) {
        int number = pixels.number(batch.pixels()[i]);
        if (number >= begin && number < end) {
          while (number >= first(round, rank + 1)) {
            rank++;
          }
          taker.take(rank, number, batch.first() + frame, batch.values()[i]);
        }
      }
    }
  }

  private void send(long[][] messages, Part part) {
    int size = ranks.size();
    long[] counts = Arrays.stream(messages).mapToLong(m -> 8L * m.length).toArray();
    long[] coming = ranks.allToAll(counts);
    long[] joined = new long[(int) (Arrays.stream(counts).sum() / 8)];
    long[] places = new long[size];
    for (int rank = 0, at = 0; rank < size; rank++) {
      System.arraycopy(messages[rank], 0, joined, at, messages[rank].length);
      places[rank] = 8L * at;
      at += messages[rank].length;
    }
    long[] comingPlaces = new long[size];
    for (int rank = 1; rank < size; rank++) {
      comingPlaces[rank] = comingPlaces[rank - 1] + coming[rank - 1];
    }
    long[] received = new long[Math.toIntExact(Arrays.stream(coming).sum() / 8)];
    ranks.allToAllVariable(
        MemorySegment.ofArray(joined),
        counts,
        places,
        MemorySegment.ofArray(received),
        coming,
        comingPlaces);
    part.take(received);
  }

  /** The pixels of this rank in one round. */
  private final class Part {
    private final int first;
    private final int[] ends;
    private final int[] frameOf;
    private final double[] values;

    Part(int round) {
      first = first(round, ranks.rank());
      int end = first(round, ranks.rank() + 1);
      ends = new int[end - first];
      long begin = 0;
      for (int number = first; number < end; number++) {
        ends[number - first] = Math.toIntExact(begin);
        begin += pixels.count(number);
      }
      frameOf = new int[Math.toIntExact(begin)];
      values = new double[frameOf.length];
    }

    void take(long[] message) {
      for (int i = 0; i < message.length; i += 2) {
        int at = ends[(int) (message[i] >>> 32) - first]++;
        frameOf[at] = (int) message[i];
        values[at] = Double.longBitsToDouble(message[i + 1]);
      }
    }

    void give(Consumer<SparseVector> taker) {
      SparseVector vector = new SparseVector(frames);
      for (int i = 0; i < ends.length; i++) {
        pixels.pixel(first + i, frameOf, values, i == 0 ? 0 : ends[i - 1], vector);
        taker.accept(vector);
      }
    }
  }
}
