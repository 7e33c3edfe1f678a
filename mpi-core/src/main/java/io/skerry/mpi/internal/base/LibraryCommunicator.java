package io.skerry.mpi.internal.base;

import io.skerry.mpi.CallMismatchException;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A communicator of an MPI library, which requires native memory and counts of type {@code int}.
 *
 * <p>If all ranks pass the same size, a transfer that is too large for an {@code int} count uses
 * one element of a large datatype or several calls. If sizes differ by rank and not every rank
 * knows all of them, {@link MessageExchange} sends messages instead of calling a routine such as
 * {@code MPI_Alltoallv}: the counts of one rank may overflow without the other ranks knowing.
 */
public abstract class LibraryCommunicator extends CheckedCommunicator {
  /** The maximum number of bytes per call in a transfer that is split into several calls. */
  private static final long STEP = 1L << 30;

  private final boolean permanent;
  private final PeerTimeout peerTimeout;
  private final MessageCallOrder calls = new MessageCallOrder(this);

  /** Creates the world, which is never closed. */
  protected LibraryCommunicator(int rank, int size) {
    super(rank, RankSet.of(size), "world", new AtomicBoolean());
    this.permanent = true;
    this.peerTimeout = new PeerTimeout();
  }

  /** Creates a communicator of some or all ranks of another communicator. */
  protected LibraryCommunicator(int rank, int size, String name, LibraryCommunicator parent) {
    super(rank, parent.rankSet().split(size), name, parent.ended());
    this.permanent = false;
    this.peerTimeout = parent.peerTimeout;
  }

  /**
   * A nonblocking send or receive of the library. Both methods throw an exception if the transfer
   * has failed.
   */
  protected interface Message {
    /** Returns the status of the transfer if it is complete; empty otherwise. */
    Optional<Received> test();

    /** Waits for the completion of the transfer. */
    Received await();
  }

  /** Broadcasts native memory of at most {@link #STEP} bytes. */
  protected abstract void broadcastPart(int root, MemorySegment part);

  /** Gathers blocks of {@code bytes} bytes at the root; all memory is native. */
  protected abstract void gatherBlocks(
      int root, MemorySegment send, MemorySegment receive, long bytes);

  /** Scatters blocks of {@code bytes} bytes from the root; all memory is native. */
  protected abstract void scatterBlocks(
      int root, MemorySegment send, MemorySegment receive, long bytes);

  /** Gathers blocks of {@code bytes} bytes on all ranks; all memory is native. */
  protected abstract void gatherBlocks(MemorySegment send, MemorySegment receive, long bytes);

  /** Gathers blocks of different sizes on all ranks; all memory is native. */
  protected abstract void gatherBlocks(
      MemorySegment send, MemorySegment receive, int[] counts, int[] displacements);

  /** Exchanges blocks of {@code bytes} bytes; all memory is native. */
  protected abstract void exchangeBlocks(MemorySegment send, MemorySegment receive, long bytes);

  /** Reduces native memory of at most {@link #STEP} bytes. */
  protected abstract void reducePart(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  /**
   * Computes an exclusive scan of native memory of at most {@link #STEP} bytes; the result on rank
   * 0 is ignored.
   */
  protected abstract void scanPart(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  /** Sends native memory. */
  protected abstract void sendNative(MemorySegment buffer, int destination, int tag);

  /** Receives into native memory. */
  protected abstract Received receiveNative(MemorySegment buffer, int source, int tag);

  /** Starts sending native memory. */
  protected abstract Message beginSend(MemorySegment buffer, int destination, int tag);

  /** Starts receiving into native memory. */
  protected abstract Message beginReceive(MemorySegment buffer, int source, int tag);

  /** Calls {@code MPI_Comm_free}. */
  protected abstract void freeLibrary();

  /** Calls {@code MPI_Abort}. */
  protected abstract void abortLibrary(int code);

  /**
   * Starts the timeout for the other ranks after this rank failed to do its part of a collective
   * call. The other ranks must reach one of the following calls in time: a comparison of calls, a
   * barrier, a reduction, or an all-gather or all-to-all exchange of equal-sized blocks. Otherwise,
   * they are assumed to be blocked, and the job is ended. Local.
   */
  public final void expectOthers(MpiException failure) {
    peerTimeout.expect(failure, size());
  }

  @Override
  protected final long[] beginTogether(CallOrder.Call call, WaitLimit patience, long... words) {
    try {
      long[] all = calls.begin(call, patience, words);
      peerTimeout.met(size());
      return all;
    } catch (CallMismatchException e) {
      // All ranks have reached the comparison, although in different calls.
      peerTimeout.met(size());
      throw e;
    }
  }

  @Override
  protected final void broadcastFrom(int root, MemorySegment buffer) {
    try (var staging = new NativeStaging()) {
      // The buffer of the root may be read-only.
      var whole = rank() == root ? staging.outgoing(buffer) : staging.incoming(buffer);
      long done = 0;
      do {
        long bytes = Math.min(STEP, whole.byteSize() - done);
        broadcastPart(root, whole.asSlice(done, bytes));
        done += bytes;
      } while (done < whole.byteSize());
      staging.deliver();
    }
  }

  @Override
  protected final void gatherAt(int root, MemorySegment send, MemorySegment receive) {
    staged(send, receive, (from, to) -> gatherBlocks(root, from, to, send.byteSize()));
  }

  @Override
  protected final void scatterFrom(int root, MemorySegment send, MemorySegment receive) {
    staged(send, receive, (from, to) -> scatterBlocks(root, from, to, receive.byteSize()));
  }

  @Override
  protected final void gatherAll(MemorySegment send, MemorySegment receive) {
    staged(send, receive, (from, to) -> gatherBlocks(from, to, send.byteSize()));
    peerTimeout.met(size());
  }

  // All ranks know all counts, so all of them take the same branch for a large total.
  @Override
  protected final void gatherAll(MemorySegment send, MemorySegment receive, BlockLayout layout) {
    if (layout.total() > Integer.MAX_VALUE) {
      for (int root = 0; root < size(); root++) {
        var block = layout.block(receive, root);
        if (root == rank()) {
          block.copyFrom(send);
        }
        broadcastFrom(root, block);
      }
      return;
    }
    boolean reachable =
        Arrays.stream(layout.displacements()).allMatch(at -> at <= Integer.MAX_VALUE);
    if (reachable) {
      gatherReachable(send, receive, layout);
      return;
    }
    try (var arena = Arena.ofConfined()) {
      var packed = BlockLayout.packed(layout.counts());
      var dense = arena.allocate(layout.total());
      gatherReachable(send, dense, packed);
      for (int from = 0; from < size(); from++) {
        layout.block(receive, from).copyFrom(packed.block(dense, from));
      }
    }
  }

  private void gatherReachable(MemorySegment send, MemorySegment receive, BlockLayout layout) {
    int[] counts = ints(layout.counts());
    int[] displacements = ints(layout.displacements());
    staged(send, receive, (from, to) -> gatherBlocks(from, to, counts, displacements));
  }

  private static int[] ints(long[] values) {
    return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
  }

  @Override
  protected final void exchange(MemorySegment send, MemorySegment receive) {
    staged(send, receive, (from, to) -> exchangeBlocks(from, to, send.byteSize() / size()));
    peerTimeout.met(size());
  }

  @Override
  protected final void reduce(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    inSteps(send, receive, (from, to) -> reducePart(from, to, kind, op));
    peerTimeout.met(size());
  }

  @Override
  protected final void scan(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    inSteps(
        send,
        receive,
        (from, to) -> {
          scanPart(from, to, kind, op);
          if (rank() == 0) {
            // MPI leaves the result on rank 0 undefined, and some libraries overwrite the zeros.
            to.fill((byte) 0);
          }
        });
  }

  @FunctionalInterface
  private interface Transfer {
    void move(MemorySegment send, MemorySegment receive);
  }

  private static void staged(MemorySegment send, MemorySegment receive, Transfer transfer) {
    try (var staging = new NativeStaging()) {
      transfer.move(staging.outgoing(send), staging.incoming(receive));
      staging.deliver();
    }
  }

  private static void inSteps(MemorySegment send, MemorySegment receive, Transfer transfer) {
    staged(
        send,
        receive,
        (from, to) -> {
          long done = 0;
          do {
            long bytes = Math.min(STEP, from.byteSize() - done);
            transfer.move(from.asSlice(done, bytes), to.asSlice(done, bytes));
            done += bytes;
          } while (done < from.byteSize());
        });
  }

  @Override
  protected final void sendNow(MemorySegment buffer, int destination, int tag) {
    try (var staging = new NativeStaging()) {
      sendNative(staging.outgoing(buffer), destination, tag);
    }
  }

  @Override
  protected final Received receiveNow(MemorySegment buffer, int source, int tag) {
    try (var staging = new NativeStaging()) {
      var received = receiveNative(staging.incoming(buffer), source, tag);
      staging.deliver();
      return received;
    }
  }

  @Override
  protected final Request startSend(MemorySegment buffer, int destination, int tag) {
    var staging = new NativeStaging();
    var from = staging.outgoing(buffer);
    return new LibraryRequest(this, "sendLater", beginSend(from, destination, tag), from, staging);
  }

  @Override
  protected final Request startReceive(MemorySegment buffer, int source, int tag) {
    var staging = new NativeStaging();
    var to = staging.incoming(buffer);
    return new LibraryRequest(this, "receiveLater", beginReceive(to, source, tag), to, staging);
  }

  /**
   * Completes the receive that the comparison of calls may have left pending. Called before the
   * communicator is freed, and on the world communicator before MPI ends. Local.
   */
  public final void completeMessages() {
    calls.end();
  }

  @Override
  protected final void free() {
    completeMessages();
    freeLibrary();
  }

  @Override
  protected final void abortJob(int code) {
    abortLibrary(code);
    throw failure("abort", MpiErrorClass.ABORTED, "MPI_Abort returned");
  }

  @Override
  protected final boolean permanent() {
    return permanent;
  }

  @Override
  protected final boolean openToThreads() {
    return false;
  }
}
