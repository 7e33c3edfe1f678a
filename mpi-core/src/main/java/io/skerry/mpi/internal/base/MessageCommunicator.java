package io.skerry.mpi.internal.base;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.file.PositionalFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Implements collective calls with messages, and files with a separate channel for each rank. It
 * serves transports that lack collective calls and file access, or that do not implement them
 * reliably.
 *
 * <p>All collective calls that transfer data use the same tag. Messages of different calls cannot
 * be confused: messages of one sender arrive in order, and every rank receives from specific ranks
 * in an order that depends only on the calls. Comparisons of calls, including barriers, use the tag
 * of {@link MessageCallOrder}.
 */
public abstract class MessageCommunicator extends CheckedCommunicator {
  private static final int TAG = Communicator.MAX_TAG + 1;

  private final MessageCallOrder calls = new MessageCallOrder(this);

  protected MessageCommunicator(int rank, RankSet rankSet, String name, AtomicBoolean ended) {
    super(rank, rankSet, name, ended);
  }

  @Override
  protected final long[] beginTogether(CallOrder.Call call, WaitLimit patience, long... words) {
    return calls.begin(call, patience, words);
  }

  private void requireBytes(String operation, long expected, Received received) {
    if (received.bytes() != expected) {
      throw failure(
          operation,
          MpiErrorClass.MISMATCH,
          "sender and receiver disagree: sent=%d expected=%d sender=%d receiver=%d"
              .formatted(received.bytes(), expected, received.source(), rank()));
    }
  }

  // Broadcasts along a binomial tree: a rank that has the bytes forwards them to ranks at
  // decreasing distances.
  @Override
  protected final void broadcastFrom(int root, MemorySegment buffer) {
    int place = Math.floorMod(rank() - root, size());
    int span = 1;
    while (span < size() && (place & span) == 0) {
      span <<= 1;
    }
    var exchange = new MessageExchange(this, "broadcast");
    if (place != 0) {
      exchange.receive(buffer, (place - span + root) % size());
      exchange.finish();
    }
    for (int step = span >> 1; step > 0; step >>= 1) {
      if (place + step < size()) {
        exchange.send(buffer, (place + step + root) % size());
      }
    }
    exchange.finish();
  }

  @Override
  protected final void gatherAt(int root, MemorySegment send, MemorySegment receive) {
    var layout = BlockLayout.equal(size(), send.byteSize());
    new MessageExchange(this, "gather").gather(root, send, receive, layout);
  }

  @Override
  protected final void scatterFrom(int root, MemorySegment send, MemorySegment receive) {
    var layout = BlockLayout.equal(size(), receive.byteSize());
    new MessageExchange(this, "scatter").scatter(root, send, layout, receive);
  }

  @Override
  protected final void gatherAll(MemorySegment send, MemorySegment receive) {
    gatherAll("allGather", send, receive, BlockLayout.equal(size(), send.byteSize()));
  }

  @Override
  protected final void gatherAll(MemorySegment send, MemorySegment receive, BlockLayout layout) {
    gatherAll("allGatherVariable", send, receive, layout);
  }

  private void gatherAll(
      String operation, MemorySegment send, MemorySegment receive, BlockLayout layout) {
    var exchange = new MessageExchange(this, operation);
    exchange.receiveAll(receive, layout);
    for (int distance = 1; distance < size(); distance++) {
      exchange.send(send, (rank() + distance) % size());
    }
    layout.block(receive, rank()).copyFrom(send);
    exchange.finish();
  }

  @Override
  protected final void exchange(MemorySegment send, MemorySegment receive) {
    var layout = BlockLayout.equal(size(), send.byteSize() / size());
    new MessageExchange(this, "allToAll").allToAll(send, layout, receive, layout);
  }

  // Reduces along a binomial tree to rank 0, which broadcasts the result, so that the results on
  // all ranks are bit-identical.
  @Override
  protected final void reduce(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    var reducer = new Reducer(kind, op);
    receive.copyFrom(send);
    try (var arena = Arena.ofConfined()) {
      var part = arena.allocate(send.byteSize(), Long.BYTES);
      int span = 1;
      while (span < size() && (rank() & span) == 0) {
        if (rank() + span < size()) {
          requireBytes("allReduce", part.byteSize(), receiveNow(part, rank() + span, TAG));
          reducer.combine(receive, part);
        }
        span <<= 1;
      }
      if (rank() != 0) {
        sendNow(receive, rank() - span, TAG);
      }
    }
    broadcastFrom(0, receive);
  }

  // In each round, a rank receives the combined elements of up to twice as many preceding ranks as
  // in the round before.
  @Override
  protected final void scan(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    var reducer = new Reducer(kind, op);
    try (var arena = Arena.ofConfined()) {
      var sum = arena.allocate(send.byteSize(), Long.BYTES).copyFrom(send);
      var part = arena.allocate(send.byteSize(), Long.BYTES);
      for (int distance = 1; distance < size(); distance <<= 1) {
        int below = rank() - distance;
        var exchange = new MessageExchange(this, "exclusiveScan");
        if (below >= 0) {
          exchange.receive(part, below);
        }
        if (rank() + distance < size()) {
          exchange.send(sum, rank() + distance);
        }
        exchange.finish();
        if (below >= 0) {
          add(reducer, part, receive, distance);
          reducer.combine(sum, part);
        }
      }
    }
  }

  private static void add(
      Reducer reducer, MemorySegment part, MemorySegment receive, int distance) {
    if (distance == 1) {
      receive.copyFrom(part);
    } else {
      reducer.combine(receive, part);
    }
  }

  @Override
  protected final MpiFile attach(PositionalFile file, OpenMode mode, Map<String, String> hints) {
    return new MessageFile(this, file, mode);
  }

  /**
   * Gathers the pairs {@code {color, key}} of all ranks and returns the ranks with the color of
   * this rank, ordered by key and, among equal keys, by rank.
   */
  protected final int[] membersOf(int color, int key) {
    try (var arena = Arena.ofConfined()) {
      var own = arena.allocate(2L * Integer.BYTES, Integer.BYTES);
      own.copyFrom(MemorySegment.ofArray(new int[] {color, key}));
      var all = arena.allocate(2L * Integer.BYTES * size(), Integer.BYTES);
      gatherAll(own, all);
      int[] pairs = all.toArray(JAVA_INT);
      return IntStream.range(0, size())
          .filter(other -> pairs[2 * other] == color)
          .boxed()
          .sorted(Comparator.comparingInt(other -> pairs[2 * other + 1]))
          .mapToInt(Integer::intValue)
          .toArray();
    }
  }
}
