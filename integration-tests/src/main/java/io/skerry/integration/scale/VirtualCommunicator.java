package io.skerry.integration.scale;

import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.Request;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The communicator of one of the {@link VirtualRanks}. It supports the calls that planning makes:
 * messages, broadcasts, exchanges, reductions and prefix sums. Collective calls are built from
 * messages, as in MPI libraries: broadcasts and reductions along binomial trees, prefix sums by
 * recursive doubling (R. Thakur and others, "Optimization of collective communication operations in
 * MPICH", 2005). Other calls are refused.
 */
public final class VirtualCommunicator implements Communicator {
  private static final int BROADCAST = -2;
  private static final int REDUCE = -3;
  private static final int SCAN = -4;
  private static final int ALL = -5;

  private final int rank;
  private final List<MessageQueue> mailboxes;
  private final RankSet rankSet;
  private Traffic sent = Traffic.NONE;
  private Traffic received = Traffic.NONE;

  VirtualCommunicator(int rank, List<MessageQueue> mailboxes) {
    this.rank = rank;
    this.mailboxes = mailboxes;
    this.rankSet = RankSet.of(mailboxes.size());
  }

  /** Returns the messages sent so far, including those of collective calls. */
  public Traffic sent() {
    return sent;
  }

  /** Returns the messages received so far, including those of collective calls. */
  public Traffic received() {
    return received;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return mailboxes.size();
  }

  @Override
  public String name() {
    return "virtual";
  }

  @Override
  public RankSet rankSet() {
    return rankSet;
  }

  private void post(int destination, int tag, byte[] message) {
    sent = sent.and(message.length);
    mailboxes.get(destination).put(rank, tag, message);
  }

  private byte[] fetch(int source, int tag) {
    byte[] message = mailboxes.get(rank).take(source, tag);
    received = received.and(message.length);
    return message;
  }

  @Override
  public void send(MemorySegment buffer, int destination, int tag) {
    post(destination, tag, buffer.toArray(ValueLayout.JAVA_BYTE));
  }

  @Override
  public Received receive(MemorySegment buffer, int source, int tag) {
    byte[] message = fetch(source, tag);
    MemorySegment.copy(message, 0, buffer, ValueLayout.JAVA_BYTE, 0, message.length);
    return new Received(source, tag, message.length);
  }

  @Override
  public Request sendLater(MemorySegment buffer, int destination, int tag) {
    send(buffer, destination, tag);
    Received done = new Received(rank, tag, buffer.byteSize());
    return new Request() {
      @Override
      public boolean done() {
        return true;
      }

      @Override
      public Received await() {
        return done;
      }
    };
  }

  @Override
  public Request receiveLater(MemorySegment buffer, int source, int tag) {
    return new Request() {
      @Override
      public boolean done() {
        throw refused("done");
      }

      @Override
      public Received await() {
        return receive(buffer, source, tag);
      }
    };
  }

  /** Broadcasts bytes. All ranks share the array, so it must not be modified. */
  @Override
  public byte[] broadcast(byte[] value, int root) {
    int place = Math.floorMod(rank - root, size());
    byte[] bytes = value;
    int reach = Integer.highestOneBit(Math.max(1, size() - 1));
    if (place > 0) {
      int hop = Integer.lowestOneBit(place);
      bytes = fetch((rank - hop + size()) % size(), BROADCAST);
      reach = hop / 2;
    }
    for (int hop = reach; hop > 0; hop /= 2) {
      if (place + hop < size()) {
        post((rank + hop) % size(), BROADCAST, bytes);
      }
    }
    return bytes;
  }

  @Override
  public long[] allReduce(long[] values, Reduction op) {
    long[] sum = values.clone();
    for (int hop = 1; hop < size(); hop *= 2) {
      if ((rank & hop) != 0) {
        post(rank - hop, REDUCE, bytes(sum));
        break;
      }
      if (rank + hop < size()) {
        combine(sum, longs(fetch(rank + hop, REDUCE)), op);
      }
    }
    return longs(broadcast(bytes(sum), 0));
  }

  @Override
  public long allReduce(long value, Reduction op) {
    return allReduce(new long[] {value}, op)[0];
  }

  @Override
  public long[] exclusiveScan(long[] values, Reduction op) {
    long[] below = new long[values.length];
    long[] together = values.clone();
    boolean any = false;
    for (int hop = 1; hop < size(); hop *= 2) {
      if (rank + hop < size()) {
        post(rank + hop, SCAN, bytes(together));
      }
      if (rank >= hop) {
        long[] lower = longs(fetch(rank - hop, SCAN));
        combine(together, lower, op);
        if (any) {
          combine(below, lower, op);
        } else {
          below = lower;
          any = true;
        }
      }
    }
    return below;
  }

  @Override
  public long exclusiveScan(long value, Reduction op) {
    return exclusiveScan(new long[] {value}, op)[0];
  }

  private static void combine(long[] into, long[] other, Reduction op) {
    for (int i = 0; i < into.length; i++) {
      into[i] =
          switch (op) {
            case SUM -> into[i] + other[i];
            case MIN -> Math.min(into[i], other[i]);
            case MAX -> Math.max(into[i], other[i]);
            case BIT_OR -> into[i] | other[i];
            case BIT_AND -> into[i] & other[i];
          };
    }
  }

  private static byte[] bytes(long[] values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
    bytes.asLongBuffer().put(values);
    return bytes.array();
  }

  private static long[] longs(byte[] bytes) {
    long[] values = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).asLongBuffer().get(values);
    return values;
  }

  @Override
  public long[] allToAll(long[] values) {
    for (int to = 0; to < size(); to++) {
      post(to, ALL, bytes(new long[] {values[to]}));
    }
    long[] all = new long[size()];
    for (int from = 0; from < size(); from++) {
      all[from] = longs(fetch(from, ALL))[0];
    }
    return all;
  }

  @Override
  public long[] allGather(long value) {
    long[] same = new long[size()];
    Arrays.fill(same, value);
    return allToAll(same);
  }

  @Override
  public void allToAllVariable(
      MemorySegment send,
      long[] sendCounts,
      long[] sendDisplacements,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveDisplacements) {
    for (int to = 0; to < size(); to++) {
      if (sendCounts[to] > 0) {
        send(send.asSlice(sendDisplacements[to], sendCounts[to]), to, ALL);
      }
    }
    for (int from = 0; from < size(); from++) {
      if (receiveCounts[from] > 0) {
        Received unused =
            receive(receive.asSlice(receiveDisplacements[from], receiveCounts[from]), from, ALL);
      }
    }
  }

  @Override
  public void allGatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements) {
    long[] same = new long[size()];
    Arrays.fill(same, send.byteSize());
    allToAllVariable(send, same, new long[size()], receive, counts, displacements);
  }

  @Override
  public void barrier() {
    long unused = allReduce(0, Reduction.MAX);
  }

  @Override
  public void close() {
    // There is nothing to free.
  }

  /**
   * Returns the exception for a call that planning does not make and for which no messages are
   * counted.
   */
  private static UnsupportedOperationException refused(String call) {
    return new UnsupportedOperationException(
        "planning does not need it, so virtual ranks do not have it: call=" + call);
  }

  @Override
  public CallOrder callOrder() {
    throw refused("order of calls");
  }

  @Override
  public void broadcast(MemorySegment buffer, int root) {
    throw refused("broadcast of a segment");
  }

  @Override
  public void gather(MemorySegment send, MemorySegment receive, int root) {
    throw refused("gather");
  }

  @Override
  public void gatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements, int root) {
    throw refused("gatherVariable");
  }

  @Override
  public void scatter(MemorySegment send, MemorySegment receive, int root) {
    throw refused("scatter");
  }

  @Override
  public void scatterVariable(
      MemorySegment send, long[] counts, long[] displacements, MemorySegment receive, int root) {
    throw refused("scatterVariable");
  }

  @Override
  public void allGather(MemorySegment send, MemorySegment receive) {
    throw refused("allGather");
  }

  @Override
  public void allToAll(MemorySegment send, MemorySegment receive) {
    throw refused("allToAll");
  }

  @Override
  public void allReduce(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    throw refused("allReduce of a segment");
  }

  @Override
  public void exclusiveScan(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    throw refused("exclusiveScan of a segment");
  }

  @Override
  public Communicator split(int color, int key) {
    throw refused("split");
  }

  @Override
  public Communicator duplicate() {
    throw refused("duplicate");
  }

  @Override
  public MpiFile openFile(Path path, OpenMode mode, Map<String, String> hints) {
    throw refused("openFile");
  }

  @Override
  public void abort(int code) {
    throw refused("abort");
  }
}
