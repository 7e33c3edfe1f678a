package io.skerry.mpi;

import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;

/**
 * A group of ranks that can talk to each other.
 *
 * <p><b>Buffers.</b> All buffers are {@link MemorySegment}s, all counts and displacements bytes.
 * Values travel in native byte order. The MPI back end sends native segments as they are and copies
 * heap segments through native memory; ranks in one JVM copy either. A buffer is the caller's again
 * when the call returns. Send and receive buffers of one call must not overlap. Where a parameter
 * matters on the root only, the other ranks pass {@link MemorySegment#NULL} or an empty array.
 *
 * <p><b>Collective</b> calls must be made by all ranks of the communicator in the same order with
 * agreeing arguments; a call is collective unless its description says otherwise. Collective does
 * not mean synchronising: only {@link #barrier()} promises that every rank has arrived.
 *
 * <p><b>Threads.</b> A communicator belongs to the thread that made it. A call from any other
 * thread ends in {@link IllegalStateException} naming both threads, since MPI runs with {@code
 * MPI_THREAD_FUNNELED}. Only collective calls of a rank alone, which reach nobody, may come from
 * any thread, one at a time: of {@link #self()} and of what is made by {@link #duplicate} or {@link
 * #split} and has one rank. Duplicating and splitting those may be done by several at once.
 *
 * <p><b>Errors.</b> Misuse that this rank alone can see is an {@link IllegalArgumentException};
 * whatever the transport reports is an {@link MpiException}.
 *
 * <p>Source of the semantics: MPI 3.1, chapters 3, 5, 6 and 13.
 */
public interface Communicator extends AutoCloseable {

  /** As the source of a receive: whoever sends first. */
  int ANY_SOURCE = -1;

  /** The highest tag a message may have; the tags above serve the exchanges inside. */
  int MAX_TAG = 32_764;

  /** A new communicator of one rank; no MPI library is needed. */
  static Communicator self() {
    return Mpi.provider().self();
  }

  /** This rank, from 0 to {@code size() - 1}. Not collective. */
  int rank();

  /** The number of ranks. Not collective. */
  int size();

  /** A name for messages, such as {@code world} or {@code world/split2}. Not collective. */
  String name();

  /**
   * Returns when every rank has called.
   *
   * @throws MpiException of class {@link MpiErrorClass#MISMATCH} on every rank if one of them has
   *     begun another call of the {@link #callOrder}
   */
  void barrier();

  /**
   * The order in which layers above begin their collective calls on this communicator. Local; the
   * caller closes it.
   */
  CallOrder callOrder();

  /** Copies the root's buffer into everybody's; all buffers have the same size. */
  void broadcast(MemorySegment buffer, int root);

  /** Rank r's {@code send} lands at {@code r * send.byteSize()} of the root's {@code receive}. */
  void gather(MemorySegment send, MemorySegment receive, int root);

  /**
   * Rank r's {@code send}, {@code counts[r]} bytes, lands at {@code displacements[r]} of the root's
   * {@code receive}. The last three matter on the root only.
   */
  void gatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements, int root);

  /** Block r of the root's {@code send}, of {@code receive.byteSize()} bytes, goes to rank r. */
  void scatter(MemorySegment send, MemorySegment receive, int root);

  /**
   * {@code counts[r]} bytes at {@code displacements[r]} of the root's {@code send} go to rank r,
   * whose {@code receive} has exactly that size. The first three matter on the root only.
   */
  void scatterVariable(
      MemorySegment send, long[] counts, long[] displacements, MemorySegment receive, int root);

  /** {@link #gather} to every rank. */
  void allGather(MemorySegment send, MemorySegment receive);

  /**
   * {@link #gatherVariable} to every rank. The counts agree on all ranks, the displacements need
   * not.
   */
  void allGatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements);

  /** Block d of rank s's {@code send} becomes block s of rank d's; all blocks have one size. */
  void allToAll(MemorySegment send, MemorySegment receive);

  /**
   * {@code sendCounts[d]} bytes at {@code sendDisplacements[d]} go to rank d; {@code
   * receiveCounts[s]} bytes, exactly what rank s sends here, land at {@code
   * receiveDisplacements[s]}. Pairs with zero bytes cost nothing.
   */
  void allToAllVariable(
      MemorySegment send,
      long[] sendCounts,
      long[] sendDisplacements,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveDisplacements);

  /** Combines the elements of all ranks, place by place; everybody gets the result. */
  void allReduce(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  /**
   * Combines, place by place, the elements of the ranks below this one. Rank 0 receives zeros,
   * whatever the operation.
   */
  void exclusiveScan(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  /** {@link #allReduce(MemorySegment, MemorySegment, ElementKind, Reduction)} of one value. */
  long allReduce(long value, Reduction op);

  /** {@link #allReduce(MemorySegment, MemorySegment, ElementKind, Reduction)} of equal arrays. */
  long[] allReduce(long[] values, Reduction op);

  /** {@link #exclusiveScan(MemorySegment, MemorySegment, ElementKind, Reduction)} of one value. */
  long exclusiveScan(long value, Reduction op);

  /** {@link #exclusiveScan(MemorySegment, MemorySegment, ElementKind, Reduction)} of arrays. */
  long[] exclusiveScan(long[] values, Reduction op);

  /** Everybody's value, by rank. */
  long[] allGather(long value);

  /** {@code values[d]} goes to rank d; the answer holds at s what rank s sent here. */
  long[] allToAll(long[] values);

  /** The root's bytes on every rank; the length is agreed inside. The root gets its own array. */
  byte[] broadcast(byte[] value, int root);

  /**
   * Sends to one rank. Not collective. May wait until the message is being received.
   *
   * @param tag 0 to {@link #MAX_TAG}
   */
  void send(MemorySegment buffer, int destination, int tag);

  /**
   * Receives one message of at most {@code buffer.byteSize()} bytes. Not collective. Messages from
   * one rank with one tag arrive in the order sent.
   *
   * @param source a rank or {@link #ANY_SOURCE}
   */
  Received receive(MemorySegment buffer, int source, int tag);

  /**
   * Starts a {@link #send}. Not collective. The buffer must stay alive and untouched until the
   * request is done, and every request must be awaited or seen done.
   */
  Request sendLater(MemorySegment buffer, int destination, int tag);

  /** Starts a {@link #receive}; the rules of {@link #sendLater} hold. Not collective. */
  Request receiveLater(MemorySegment buffer, int source, int tag);

  /**
   * Cuts the communicator into one per color, ranks ordered by key and then by rank here.
   *
   * @param color 0 or more
   */
  Communicator split(int color, int key);

  /** The same ranks with a message space of their own. */
  Communicator duplicate();

  /**
   * Opens a file together. If any rank cannot, every rank gets an {@link MpiException} that names
   * the lowest such rank and its reason.
   *
   * @param path the same file on every rank
   * @param hints MPI-IO hints; those a back end does not know are ignored
   */
  MpiFile openFile(Path path, OpenMode mode, Map<String, String> hints);

  /**
   * Ends the whole job, not only this communicator, with an exit code. Not collective. Never
   * returns normally: the MPI back end ends the process, ranks in one JVM all get an {@link
   * MpiException}, this one at once and the others in their present or next call.
   */
  void abort(int code);

  /** Frees what {@link #split} or {@link #duplicate} made. Does nothing to world and self. */
  @Override
  void close();
}
