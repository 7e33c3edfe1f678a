package io.skerry.iod.shipper;

import io.skerry.exception.FormatException;
import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.wire.Frame;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.iod.shipper.wire.Transfer;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends and receives the messages of one rank. One receive for messages from any rank is always
 * posted. Bulk data is received into the memory that the receiver passes, in the order in which the
 * sender announced it. No method waits, except {@link #end} and {@link #idle}. Confined to the
 * thread of the communicator.
 */
final class Postbox {
  private static final int MESSAGE = 1;

  /**
   * The direction of bulk data. Each direction has its own tag, since a rank may be both a client
   * and an I/O rank.
   */
  enum Bulk {
    /** From a client to an I/O rank. */
    TO_SERVER(2),
    /** From an I/O rank to a client. */
    TO_CLIENT(3);

    private final int tag;

    Bulk(int tag) {
      this.tag = tag;
    }
  }

  /** The maximum number of messages that one call of {@link #progress} receives. */
  private static final int MOST_AT_ONCE = 64;

  private static final int YIELDS = 200;
  private static final long SHORT_NAP_NANOS = 20_000;
  private static final long LONG_NAP_NANOS = 500_000;
  private static final int SHORT_NAPS = 2000;

  /** Receives what arrives. */
  interface Receiver {
    /** Receives a message, whose memory is reused after the method returns. */
    void received(int source, Frame frame);

    /** Notes that a message from a rank was damaged. */
    void damaged(int source, FormatException damage);
  }

  private record Outgoing(List<Request> requests, Arena memory, Runnable sent) {}

  private record Incoming(Request request, Runnable received) {}

  private final Communicator communicator;
  private final Transfer transfer;
  private final int inlineBytes;
  private final Receiver receiver;
  private final List<Outgoing> outgoing = new ArrayList<>();
  private final List<Incoming> incoming = new ArrayList<>();
  // Garbage-collected memory, since the receive may still be pending when a rank fails.
  private final MemorySegment buffer = Arena.ofAuto().allocate(Frame.LARGEST);
  private Request posted;
  private boolean isEnding;
  private boolean isEnded;
  private int idles;
  private long messages;
  private long bytes;

  Postbox(Communicator communicator, Transfer transfer, int inlineBytes, Receiver receiver) {
    this.communicator = communicator;
    this.transfer = transfer;
    this.inlineBytes = inlineBytes;
    this.receiver = receiver;
    this.posted = post();
  }

  private Request post() {
    return communicator.receiveLater(buffer, Communicator.ANY_SOURCE, MESSAGE);
  }

  int rank() {
    return communicator.rank();
  }

  /** Returns the number of messages sent, excluding bulk data. */
  long messages() {
    return messages;
  }

  /** Returns the number of bytes sent. */
  long bytes() {
    return bytes;
  }

  /** Sends a message without payload. */
  void send(int rank, Message message) {
    send(rank, message, MemorySegment.NULL, Bulk.TO_SERVER, () -> {});
  }

  /**
   * Sends a message.
   *
   * @param payload the payload, which must not change before {@code sent} is called
   * @param direction the direction of the payload
   * @param sent called when the memory of the payload is free again
   */
  void send(int rank, Message message, MemorySegment payload, Bulk direction, Runnable sent) {
    Arena memory = Arena.ofConfined();
    MemorySegment frame = Frame.encode(message, payload, inlineBytes, transfer, memory);
    List<Request> requests = new ArrayList<>();
    requests.add(communicator.sendLater(frame, rank, MESSAGE));
    messages++;
    bytes += frame.byteSize();
    if (payload.byteSize() > inlineBytes) {
      requests.add(communicator.sendLater(payload, rank, direction.tag));
      bytes += payload.byteSize();
    }
    outgoing.add(new Outgoing(requests, memory, sent));
  }

  /**
   * Receives bulk data that a rank has announced.
   *
   * @param memory memory of exactly the announced size, which must not be accessed before {@code
   *     received} is called
   */
  void receive(int source, Bulk direction, MemorySegment memory, Runnable received) {
    incoming.add(new Incoming(communicator.receiveLater(memory, source, direction.tag), received));
  }

  /** Checks bulk data that has been received. */
  void check(MemorySegment payload, long checksum) {
    transfer.check(payload, checksum);
  }

  /**
   * Advances all transfers and delivers the messages that have arrived.
   *
   * @return whether any transfer has advanced
   * @throws io.skerry.mpi.MpiException if the transport or, among threads, another rank fails, or
   *     if a message is longer than {@link Frame#LARGEST} bytes
   */
  boolean progress() {
    boolean any = false;
    for (int i = 0; i < MOST_AT_ONCE && !isEnded && posted.done(); i++) {
      any = true;
      receiveOne();
    }
    any |= finishReceives();
    any |= finishSends();
    return any;
  }

  private void receiveOne() {
    try {
      Received arrived = posted.await();
      MemorySegment bytesReceived = buffer.asSlice(0, arrived.bytes());
      Frame frame;
      try {
        frame = Frame.decode(bytesReceived, transfer);
      } catch (FormatException e) {
        receiver.damaged(arrived.source(), e);
        return;
      }
      if (frame.message() instanceof Message.Ending) {
        isEnded = isEnding && arrived.source() == rank();
      } else {
        receiver.received(arrived.source(), frame);
      }
    } finally {
      if (!isEnded) {
        posted = post();
      }
    }
  }

  private boolean finishReceives() {
    List<Runnable> finished = new ArrayList<>();
    for (Iterator<Incoming> each = incoming.iterator(); each.hasNext(); ) {
      Incoming next = each.next();
      if (next.request().done()) {
        each.remove();
        next.request().await();
        finished.add(next.received());
      }
    }
    finished.forEach(Runnable::run);
    return !finished.isEmpty();
  }

  private boolean finishSends() {
    List<Runnable> finished = new ArrayList<>();
    for (Iterator<Outgoing> each = outgoing.iterator(); each.hasNext(); ) {
      Outgoing next = each.next();
      if (next.requests().stream().allMatch(Request::done)) {
        each.remove();
        next.requests().forEach(Request::await);
        next.memory().close();
        finished.add(next.sent());
      }
    }
    finished.forEach(Runnable::run);
    return !finished.isEmpty();
  }

  /** Returns whether everything that was sent has been received, or copied by the transport. */
  boolean isFlushed() {
    return outgoing.isEmpty();
  }

  /**
   * Waits briefly if nothing has happened: first by yielding the processor to other threads, later
   * by sleeping.
   *
   * @param hasProgressed the result of the last {@link #progress}
   */
  void idle(boolean hasProgressed) {
    if (hasProgressed) {
      idles = 0;
      return;
    }
    idles++;
    if (idles < YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(idles < YIELDS + SHORT_NAPS ? SHORT_NAP_NANOS : LONG_NAP_NANOS);
    }
  }

  /**
   * Stops receiving messages, by sending a final message from this rank to itself. Sends that no
   * rank receives are given up after the patience.
   *
   * @return whether all sends were completed
   */
  boolean end(Patience patience) {
    isEnding = true;
    send(rank(), new Message.Ending());
    long start = System.nanoTime();
    while (!isEnded || !isFlushed()) {
      idle(progress());
      if (isEnded && patience.isExceededSince(start)) {
        return isFlushed();
      }
    }
    return true;
  }
}
