package io.skerry.mpi.internal.base;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Implements the calls for Java arrays and single values on top of the calls for memory segments.
 * These calls share two native scratch buffers that only grow, so repeated calls on a single value
 * allocate no native memory.
 */
abstract class ScalarCommunicator implements Communicator {
  private MemorySegment outgoing = MemorySegment.NULL;
  private MemorySegment incoming = MemorySegment.NULL;

  /**
   * Checks that the calling thread may make a call now. Called before the scratch buffers are used,
   * since another thread may be using them.
   *
   * @param operation the name of the call, for error messages
   */
  abstract void enter(String operation);

  @Override
  public final long allReduce(long value, Reduction op) {
    enter("allReduce");
    var send = send(Long.BYTES);
    send.set(JAVA_LONG, 0, value);
    var receive = receive(Long.BYTES);
    allReduce(send, receive, ElementKind.I64, op);
    return receive.get(JAVA_LONG, 0);
  }

  @Override
  public final long[] allReduce(long[] values, Reduction op) {
    enter("allReduce");
    var receive = receive(bytes(values.length));
    allReduce(send(values), receive, ElementKind.I64, op);
    return receive.toArray(JAVA_LONG);
  }

  @Override
  public final long exclusiveScan(long value, Reduction op) {
    enter("exclusiveScan");
    var send = send(Long.BYTES);
    send.set(JAVA_LONG, 0, value);
    var receive = receive(Long.BYTES);
    exclusiveScan(send, receive, ElementKind.I64, op);
    return receive.get(JAVA_LONG, 0);
  }

  @Override
  public final long[] exclusiveScan(long[] values, Reduction op) {
    enter("exclusiveScan");
    var receive = receive(bytes(values.length));
    exclusiveScan(send(values), receive, ElementKind.I64, op);
    return receive.toArray(JAVA_LONG);
  }

  @Override
  public final long[] allGather(long value) {
    enter("allGather");
    var send = send(Long.BYTES);
    send.set(JAVA_LONG, 0, value);
    var receive = receive(bytes(size()));
    allGather(send, receive);
    return receive.toArray(JAVA_LONG);
  }

  @Override
  public final long[] allToAll(long[] values) {
    enter("allToAll");
    if (values.length != size()) {
      throw new IllegalArgumentException(
          "allToAll needs one value per rank: size=%d values=%d".formatted(size(), values.length));
    }
    var receive = receive(bytes(values.length));
    allToAll(send(values), receive);
    return receive.toArray(JAVA_LONG);
  }

  @Override
  public final byte[] broadcast(byte[] value, int root) {
    enter("broadcast");
    var length = send(Long.BYTES);
    length.set(JAVA_LONG, 0, value.length);
    broadcast(length, root);
    int bytes = Math.toIntExact(length.get(JAVA_LONG, 0));
    var content = send(bytes);
    if (rank() == root) {
      content.copyFrom(MemorySegment.ofArray(value));
    }
    broadcast(content, root);
    return rank() == root ? value : content.toArray(JAVA_BYTE);
  }

  private static long bytes(int longs) {
    return (long) longs * Long.BYTES;
  }

  private MemorySegment send(long[] values) {
    var send = send(bytes(values.length));
    send.copyFrom(MemorySegment.ofArray(values));
    return send;
  }

  private MemorySegment send(long bytes) {
    if (outgoing.byteSize() < bytes) {
      outgoing = grown(bytes);
    }
    return outgoing.asSlice(0, bytes);
  }

  private MemorySegment receive(long bytes) {
    if (incoming.byteSize() < bytes) {
      incoming = grown(bytes);
    }
    return incoming.asSlice(0, bytes);
  }

  // The arena is automatic, because communicators of one rank are seldom closed.
  private static MemorySegment grown(long bytes) {
    return Arena.ofAuto().allocate(Math.max(256, 2 * bytes), Long.BYTES);
  }
}
