package io.skerry.jobs.pca;

import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Redistributes the values of the frames by pixel: every rank receives all values of a range of
 * active pixels. If these values exceed the memory of a rank, they are exchanged in several rounds,
 * each of which visits all frames again.
 */
final class PixelExchange {
  /**
   * The memory per value, in bytes: the frame index and the value, plus two {@code long} numbers
   * that represent both in the received message. If no rank has more than one batch, this message
   * contains all values of the round.
   */
  private static final long VALUE_BYTES = Integer.BYTES + Double.BYTES + 2 * Long.BYTES;

  /**
   * The approximate maximum number of values per rank in a round, so that they fit into one array.
   * It can be exceeded, because the values of a pixel are never split between rounds.
   */
  private static final long MOST = 1 << 28;

  private final Communicator ranks;
  private final Agreement agreement;
  private final ActivePixels pixels;
  private final int frames;
  private final int rounds;
  private final int[] cuts;

  /**
   * Creates an exchange and divides the active pixels among the rounds and the ranks. Collective.
   *
   * @param ranks the communicator of the ranks
   * @param agreement the agreement of the ranks on the outcome of local steps
   * @param pixels the active pixels
   * @param frames the number of frames on all ranks
   * @param room the memory, in bytes, for the values of one round
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
    // Ranks may have different amounts of memory; the rank that needs the most rounds decides.
    long wanted = Math.min(pixels.size(), Math.ceilDiv(all, most * ranks.size()));
    rounds = (int) Math.max(1, ranks.allReduce(wanted, Reduction.MAX));
    cuts = cut(all, Math.multiplyExact(rounds, ranks.size()));
  }

  /** Divides the active pixels into ranges with about the same number of values. */
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

  /** Returns the number of passes over the frames. */
  int rounds() {
    return rounds;
  }

  /**
   * Redistributes the values and passes each pixel of this rank to a consumer. Collective.
   *
   * @param local the frames of this rank
   * @param progress the progress display
   * @param taker the consumer of the values of each pixel, indexed by frame, in a vector that is
   *     reused for the next pixel
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
            part.forEach(taker);
            return true;
          });
    }
  }

  private int first(int round, int rank) {
    return cuts[round * ranks.size() + rank];
  }

  /**
   * Returns the message to each rank for a batch. Each value occupies two elements. The first
   * contains the number of the active pixel (upper 32 bits) and the index of the frame (lower 32
   * bits); the second contains the bits of the value.
   */
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

  /** Receives the values of a batch, each with the rank to which it is sent. */
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
    // A rank without memory for the values must not leave the others waiting in the exchange.
    Buffers buffers =
        agreement.each("making room for values", () -> new Buffers(words(counts), words(coming)));
    long[] joined = buffers.sent;
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
    ranks.allToAllVariable(
        MemorySegment.ofArray(joined),
        counts,
        places,
        MemorySegment.ofArray(buffers.received),
        coming,
        comingPlaces);
    part.receive(buffers.received);
  }

  /** The values that this rank sends in a step, and those that it receives. */
  private record Buffers(long[] sent, long[] received) {}

  private static long[] words(long[] bytes) {
    return new long[Math.toIntExact(Arrays.stream(bytes).sum() / Long.BYTES)];
  }

  /** The values of this rank's pixels in one round. */
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

    void receive(long[] message) {
      for (int i = 0; i < message.length; i += 2) {
        int at = ends[(int) (message[i] >>> 32) - first]++;
        frameOf[at] = (int) message[i];
        values[at] = Double.longBitsToDouble(message[i + 1]);
      }
    }

    void forEach(Consumer<SparseVector> taker) {
      SparseVector vector = new SparseVector(frames);
      for (int i = 0; i < ends.length; i++) {
        pixels.pixel(first + i, frameOf, values, i == 0 ? 0 : ends[i - 1], vector);
        taker.accept(vector);
      }
    }
  }
}
