package io.skerry.mpi.internal.base;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Received;
import io.skerry.mpi.Request;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * One exchange of blocks of any size with point-to-point messages that have a reserved tag. Empty
 * blocks are not sent. Messages of consecutive exchanges cannot mix, since messages of one sender
 * arrive in order and each exchange waits for all its messages.
 */
public final class MessageExchange {
  private static final int TAG = Communicator.MAX_TAG + 1;

  private record Pending(Request request, long bytes) {}

  private final CheckedCommunicator communicator;
  private final String operation;
  private final List<Pending> pending = new ArrayList<>();

  /**
   * Creates an exchange.
   *
   * @param communicator the communicator
   * @param operation the name of the call that uses this exchange, for error messages
   */
  public MessageExchange(CheckedCommunicator communicator, String operation) {
    this.communicator = communicator;
    this.operation = operation;
  }

  /** Sends the block of every rank to the root. */
  public void gather(int root, MemorySegment send, MemorySegment receive, BlockLayout layout) {
    if (communicator.rank() == root) {
      receiveAll(receive, layout);
      layout.block(receive, root).copyFrom(send);
    } else {
      send(send, root);
    }
    finish();
  }

  /** Sends every rank its block of the root's buffer. */
  public void scatter(int root, MemorySegment send, BlockLayout layout, MemorySegment receive) {
    if (communicator.rank() == root) {
      sendAll(send, layout);
      receive.copyFrom(layout.block(send, root));
    } else {
      receive(receive, root);
    }
    finish();
  }

  /** Sends a block from every rank to every rank. */
  public void allToAll(
      MemorySegment send, BlockLayout outgoing, MemorySegment receive, BlockLayout incoming) {
    receiveAll(receive, incoming);
    sendAll(send, outgoing);
    int own = communicator.rank();
    incoming.block(receive, own).copyFrom(outgoing.block(send, own));
    finish();
  }

  /** Starts receiving a block from one rank; does nothing if the block is empty. */
  void receive(MemorySegment block, int from) {
    if (block.byteSize() > 0) {
      pending.add(new Pending(communicator.startReceive(block, from, TAG), block.byteSize()));
    }
  }

  /** Starts sending a block to one rank; does nothing if the block is empty. */
  void send(MemorySegment block, int to) {
    if (block.byteSize() > 0) {
      pending.add(new Pending(communicator.startSend(block, to, TAG), block.byteSize()));
    }
  }

  /** Starts receiving a block from every other rank. */
  void receiveAll(MemorySegment buffer, BlockLayout layout) {
    int size = communicator.size();
    for (int distance = 1; distance < size; distance++) {
      int from = Math.floorMod(communicator.rank() - distance, size);
      receive(layout.block(buffer, from), from);
    }
  }

  /**
   * Starts sending a block to every other rank, to the next-higher rank first, so that ranks do not
   * all send to the same rank first.
   */
  private void sendAll(MemorySegment buffer, BlockLayout layout) {
    int size = communicator.size();
    for (int distance = 1; distance < size; distance++) {
      int to = (communicator.rank() + distance) % size;
      send(layout.block(buffer, to), to);
    }
  }

  /** Waits for all messages; if any of them failed, throws the first failure afterwards. */
  void finish() {
    var failures = new ArrayList<MpiException>();
    for (var message : pending) {
      try {
        requireWhole(message.request().await(), message.bytes());
      } catch (MpiException failure) {
        failures.add(failure);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  private void requireWhole(Received received, long expected) {
    if (received.bytes() != expected) {
      throw communicator.failure(
          operation,
          MpiErrorClass.MISMATCH,
          "sender and receiver disagree: sent=%d expected=%d sender=%d receiver=%d"
              .formatted(received.bytes(), expected, received.source(), communicator.rank()));
    }
  }
}
