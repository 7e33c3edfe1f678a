package io.skerry.mpi.internal.mpj;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.mpj.Packet.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends and receives the messages of one rank, for all its communicators. A short message is one
 * packet. A long message is offered, and its receiver fetches it range by range, so that no rank
 * buffers a long message for which it has not posted a receive. Confined to the thread of the rank,
 * except for {@link #abort}, and makes progress only during calls.
 */
final class MessageEngine {
  /** Number of bytes fetched at a time. */
  private static final long FETCH_BYTES = 8L << 20;

  /**
   * A message as seen by the receiver: the bytes of a short message, or the ID for fetching a long
   * message.
   */
  private record Message(
      int context, int source, int tag, long bytes, long id, MemorySegment content) {
    boolean offered() {
      return bytes > Packet.MOST;
    }
  }

  /** A message that is being received. */
  static final class Incoming {
    private final int context;
    private final int wanted;
    private final int tag;
    private final MemorySegment buffer;
    private Optional<Message> message = Optional.empty();
    private long arrived;

    private Incoming(int context, int wanted, int tag, MemorySegment buffer) {
      this.context = context;
      this.wanted = wanted;
      this.tag = tag;
      this.buffer = buffer;
    }

    private boolean matches(Message candidate) {
      return candidate.context == context
          && candidate.tag == tag
          && (wanted == Communicator.ANY_SOURCE || wanted == candidate.source);
    }

    boolean done() {
      return message.isPresent() && (tooLong() || arrived == message.get().bytes);
    }

    /** Returns whether the message is longer than the buffer; in this case, nothing is received. */
    boolean tooLong() {
      return message.isPresent() && message.get().bytes > buffer.byteSize();
    }

    /** Returns the job rank that sent the message. The message or its offer must have arrived. */
    int source() {
      return message.orElseThrow().source;
    }

    /** Returns the length of the message in bytes. The message or its offer must have arrived. */
    long bytes() {
      return message.orElseThrow().bytes;
    }
  }

  /** A message that is being sent. */
  static final class Outgoing {
    private final int to;
    private final MemorySegment content;
    private boolean done;

    private Outgoing(int to, MemorySegment content) {
      this.to = to;
      this.content = content;
    }

    boolean done() {
      return done;
    }
  }

  private final PacketLink link;
  private final byte[] packet = new byte[PacketLink.LONGEST];
  private final List<Message> unexpected = new ArrayList<>();
  private final List<Incoming> posted = new ArrayList<>();
  private final Map<Long, Outgoing> offers = new HashMap<>();
  private final Map<Long, Incoming> fetching = new HashMap<>();
  private final AtomicBoolean ended = new AtomicBoolean();
  private Optional<Throwable> failure = Optional.empty();
  private long nextId;
  private int contexts;
  private boolean neighborLeft;

  MessageEngine(PacketLink link) {
    this.link = link;
  }

  PacketLink link() {
    return link;
  }

  /** Returns the flag that is true after MPI has ended, for the communicators of this rank. */
  AtomicBoolean ended() {
    return ended;
  }

  /**
   * Returns the number of contexts known to this rank; the context of a new communicator must be at
   * least this number.
   */
  int contexts() {
    return contexts;
  }

  void take(int context) {
    contexts = Math.max(contexts, context + 1);
  }

  /** Starts sending a message to a rank of the job. */
  Outgoing send(int context, int tag, int to, MemorySegment content) {
    var outgoing = new Outgoing(to, content);
    long bytes = content.byteSize();
    if (bytes <= Packet.MOST) {
      send(to, new Packet(Kind.MESSAGE, context, tag, bytes, 0, 0, 0, content));
      outgoing.done = true;
    } else {
      long id = nextId++;
      offers.put(id, outgoing);
      send(to, new Packet(Kind.OFFER, context, tag, bytes, id, 0, 0, MemorySegment.NULL));
    }
    return outgoing;
  }

  /** Starts receiving a message from a rank of the job, or from any rank of the context. */
  Incoming receive(int context, int tag, int source, MemorySegment buffer) {
    var incoming = new Incoming(context, source, tag, buffer);
    for (var message : unexpected) {
      if (incoming.matches(message)) {
        unexpected.remove(message);
        accept(incoming, message);
        return incoming;
      }
    }
    posted.add(incoming);
    return incoming;
  }

  /**
   * Handles all packets that have arrived; returns the failure of the link, if it has failed. Never
   * waits for a packet.
   */
  Optional<Throwable> work() {
    for (var next = link.poll(); next.isPresent(); next = link.poll()) {
      handle(next.get());
    }
    return failure;
  }

  /** Waits for a packet and handles it; returns the failure of the link, if it has failed. */
  Optional<Throwable> await() {
    if (failure.isEmpty()) {
      handle(link.take());
    }
    return failure;
  }

  /**
   * Notifies all other ranks that the job ends. May be called by another thread while the thread of
   * the rank makes no calls.
   */
  void abort(int code) {
    for (int to = 0; to < link.size(); to++) {
      if (to != link.rank()) {
        send(to, Packet.signal(Kind.ABORT, code));
      }
    }
  }

  /**
   * Ends receiving after all ranks have reached the end of the job. A rank that has sent BYE to its
   * left neighbor receives at most two more packets: the STOP from that neighbor and the BYE from
   * the right neighbor.
   */
  void leave() {
    int size = link.size();
    send(Math.floorMod(link.rank() - 1, size), Packet.signal(Kind.BYE, 0));
    while (!neighborLeft && failure.isEmpty()) {
      handle(link.take());
    }
    send((link.rank() + 1) % size, Packet.signal(Kind.STOP, 0));
  }

  private void send(int to, Packet what) {
    link.send(to, packet, what.put(packet));
  }

  private void handle(PacketLink.Arrival arrival) {
    if (arrival.failure().isPresent()) {
      failure = arrival.failure();
      return;
    }
    var what = Packet.parse(arrival.bytes());
    switch (what.kind()) {
      case MESSAGE, OFFER -> deliver(message(arrival.from(), what));
      case FETCH -> sendRange(what);
      case PIECE -> put(what);
      case REFUSE -> forget(what);
      case BYE -> neighborLeft = true;
      case ABORT, STOP -> throw new IllegalStateException("not for the rank: " + what.kind());
    }
  }

  private static Message message(int from, Packet what) {
    return new Message(what.context(), from, what.tag(), what.bytes(), what.id(), what.content());
  }

  private void deliver(Message message) {
    for (var incoming : posted) {
      if (incoming.matches(message)) {
        posted.remove(incoming);
        accept(incoming, message);
        return;
      }
    }
    unexpected.add(message);
  }

  private void accept(Incoming incoming, Message message) {
    incoming.message = Optional.of(message);
    if (incoming.tooLong()) {
      if (message.offered()) {
        answer(message, Kind.REFUSE, 0, 0);
      }
    } else if (message.offered()) {
      long id = nextId++;
      fetching.put(id, incoming);
      answer(message, Kind.FETCH, id, 0);
    } else {
      MemorySegment.copy(message.content, 0, incoming.buffer, 0, message.bytes);
      incoming.arrived = message.bytes;
    }
  }

  private void answer(Message message, Kind kind, long id, long offset) {
    send(
        message.source,
        new Packet(
            kind, message.context, message.tag, 0, message.id, id, offset, MemorySegment.NULL));
  }

  private void sendRange(Packet request) {
    var outgoing = offers.get(request.id());
    if (outgoing == null) {
      throw new IllegalStateException("nothing was offered: id=" + request.id());
    }
    long total = outgoing.content.byteSize();
    long end = Math.min(total, request.offset() + FETCH_BYTES);
    for (long at = request.offset(); at < end; at += Packet.MOST) {
      var content = outgoing.content.asSlice(at, Math.min(Packet.MOST, end - at));
      send(
          outgoing.to,
          new Packet(
              Kind.PIECE, request.context(), request.tag(), 0, request.answer(), 0, at, content));
    }
    if (end == total) {
      forget(request);
    }
  }

  private void forget(Packet request) {
    var outgoing = offers.remove(request.id());
    if (outgoing != null) {
      outgoing.done = true;
    }
  }

  private void put(Packet piece) {
    var incoming = fetching.get(piece.id());
    if (incoming == null) {
      throw new IllegalStateException("nothing was fetched: id=" + piece.id());
    }
    long bytes = piece.content().byteSize();
    MemorySegment.copy(piece.content(), 0, incoming.buffer, piece.offset(), bytes);
    incoming.arrived += bytes;
    if (incoming.arrived == incoming.bytes()) {
      fetching.remove(piece.id());
    } else if (incoming.arrived % FETCH_BYTES == 0) {
      answer(incoming.message.orElseThrow(), Kind.FETCH, piece.id(), incoming.arrived);
    }
  }
}
