package io.skerry.mpi;

import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;

/**
 * An ordered group of ranks that exchange messages and make collective calls.
 *
 * <p><b>Buffers.</b> All buffers are {@link MemorySegment}s; counts and displacements are in bytes.
 * Values are in native byte order. The MPI back end passes native segments without a copy and
 * copies heap segments through native memory; ranks in one JVM copy both. The caller may reuse a
 * buffer when the call returns. Send and receive buffers of one call must not overlap. If a
 * parameter is significant at the root only, other ranks pass {@link MemorySegment#NULL} or an
 * empty array.
 *
 * <p><b>Collective</b> calls must be made by all ranks of the communicator in the same order with
 * matching arguments; a call is collective unless its description says otherwise. A collective call
 * need not synchronise: only {@link #barrier()} ensures that every rank has entered it.
 *
 * <p><b>Threads.</b> A communicator is confined to the thread that created it, since MPI runs with
 * {@code MPI_THREAD_FUNNELED}. A call from another thread throws {@link IllegalStateException} with
 * the names of both threads. The exception is a communicator of one rank, such as {@link #self()}:
 * any thread may make its collective calls, one at a time; {@link #duplicate} and {@link #split}
 * may run concurrently.
 *
 * <p><b>Errors.</b> Arguments that one rank can check alone throw {@link IllegalArgumentException};
 * errors of the transport throw {@link MpiException}. Every call on a closed communicator that
 * exchanges messages throws {@link IllegalStateException}.
 *
 * <p>Source of the semantics: MPI 3.1, chapters 3, 5, 6 and 13.
 */
public interface Communicator extends AutoCloseable {

  /** Source of a receive that accepts a message of any rank. */
  int ANY_SOURCE = -1;

  /** Highest tag of a message; tags above are reserved for internal exchanges. */
  int MAX_TAG = 32_764;

  /**
   * Creates a communicator of one rank; needs no MPI library. Local, thread-safe; does not fail.
   */
  static Communicator self() {
    return Mpi.provider().self();
  }

  /** Number of this rank, from 0 to {@code size() - 1}. Local; does not fail. */
  int rank();

  /** Number of ranks. Local; does not fail. */
  int size();

  /** Name in messages, such as {@code world} or {@code world/split2}. Local; does not fail. */
  String name();

  /**
   * Waits until every rank has called. Collective.
   *
   * @throws MpiException of class {@link MpiErrorClass#MISMATCH} on every rank if one of them has
   *     begun another call of the {@link #callOrder}
   */
  void barrier();

  /**
   * Returns the record of the order in which layers above begin collective calls on this
   * communicator. Local; the caller closes it.
   */
  CallOrder callOrder();

  /**
   * Copies the root's buffer to all ranks; all buffers have the same size. Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank
   * @throws MpiException if the transport fails
   */
  void broadcast(MemorySegment buffer, int root);

  /**
   * Copies rank r's {@code send} to {@code r * send.byteSize()} of the root's {@code receive}.
   * Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank, or a buffer does not have the size
   *     of its blocks
   * @throws MpiException if the transport fails
   */
  void gather(MemorySegment send, MemorySegment receive, int root);

  /**
   * Copies rank r's {@code send}, {@code counts[r]} bytes, to {@code displacements[r]} of the
   * root's {@code receive}. All parameters but {@code send} and {@code root} are significant at the
   * root only. Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank, or the counts do not fit the
   *     buffers
   * @throws MpiException if the transport fails
   */
  void gatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements, int root);

  /**
   * Copies block r of the root's {@code send}, {@code receive.byteSize()} bytes, to rank r.
   * Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank, or a buffer does not have the size
   *     of its blocks
   * @throws MpiException if the transport fails
   */
  void scatter(MemorySegment send, MemorySegment receive, int root);

  /**
   * Copies {@code counts[r]} bytes at {@code displacements[r]} of the root's {@code send} to rank
   * r, whose {@code receive} has that size. The first three parameters are significant at the root
   * only. Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank, or the counts do not fit the
   *     buffers
   * @throws MpiException if the transport fails
   */
  void scatterVariable(
      MemorySegment send, long[] counts, long[] displacements, MemorySegment receive, int root);

  /**
   * {@link #gather} with the result on every rank. Collective.
   *
   * @throws IllegalArgumentException if a buffer does not have the size of its blocks
   * @throws MpiException if the transport fails
   */
  void allGather(MemorySegment send, MemorySegment receive);

  /**
   * {@link #gatherVariable} with the result on every rank. All ranks pass the same counts; the
   * displacements may differ. Collective.
   *
   * @throws IllegalArgumentException if the counts do not fit the buffers
   * @throws MpiException if the transport fails
   */
  void allGatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements);

  /**
   * Copies block d of rank s's {@code send} to block s of rank d; all blocks have one size.
   * Collective.
   *
   * @throws IllegalArgumentException if the buffers differ in size, or are not divisible by the
   *     number of ranks
   * @throws MpiException if the transport fails
   */
  void allToAll(MemorySegment send, MemorySegment receive);

  /**
   * Sends {@code sendCounts[d]} bytes at {@code sendDisplacements[d]} to rank d and receives {@code
   * receiveCounts[s]} bytes, the count that rank s sends, at {@code receiveDisplacements[s]}. Pairs
   * with zero bytes exchange no message. Collective.
   *
   * @throws IllegalArgumentException if the counts do not fit the buffers
   * @throws MpiException if the transport fails
   */
  void allToAllVariable(
      MemorySegment send,
      long[] sendCounts,
      long[] sendDisplacements,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveDisplacements);

  /**
   * Combines the elements of all ranks, element by element; all ranks receive the result.
   * Collective.
   *
   * @throws IllegalArgumentException if the buffers differ in size, or the operation is undefined
   *     for the elements
   * @throws MpiException if the transport fails
   */
  void allReduce(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  /**
   * Combines the elements of the ranks below this one, element by element. Rank 0 receives zeros
   * for any operation. Collective.
   *
   * @throws IllegalArgumentException if the buffers differ in size, or the operation is undefined
   *     for the elements
   * @throws MpiException if the transport fails
   */
  void exclusiveScan(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  /**
   * {@link #allReduce(MemorySegment, MemorySegment, ElementKind, Reduction)} of one value.
   * Collective.
   *
   * @throws MpiException if the transport fails
   */
  long allReduce(long value, Reduction op);

  /**
   * {@link #allReduce(MemorySegment, MemorySegment, ElementKind, Reduction)} of equal arrays.
   * Collective.
   *
   * @throws MpiException if the transport fails
   */
  long[] allReduce(long[] values, Reduction op);

  /**
   * {@link #exclusiveScan(MemorySegment, MemorySegment, ElementKind, Reduction)} of one value.
   * Collective.
   *
   * @throws MpiException if the transport fails
   */
  long exclusiveScan(long value, Reduction op);

  /**
   * {@link #exclusiveScan(MemorySegment, MemorySegment, ElementKind, Reduction)} of arrays.
   * Collective.
   *
   * @throws MpiException if the transport fails
   */
  long[] exclusiveScan(long[] values, Reduction op);

  /**
   * Returns the values of all ranks, by rank. Collective.
   *
   * @throws MpiException if the transport fails
   */
  long[] allGather(long value);

  /**
   * Sends {@code values[d]} to rank d; element s of the result is the value that rank s sent.
   * Collective.
   *
   * @throws IllegalArgumentException if the number of values is not that of the ranks
   * @throws MpiException if the transport fails
   */
  long[] allToAll(long[] values);

  /**
   * Returns the root's bytes on every rank, of any length. The root gets its own array. Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank
   * @throws MpiException if the transport fails
   */
  byte[] broadcast(byte[] value, int root);

  /**
   * Sends to one rank. Not collective; may block until the receive has started.
   *
   * @param tag 0 to {@link #MAX_TAG}
   * @throws IllegalArgumentException if the destination is not a rank, or the tag is out of range
   * @throws MpiException if the transport fails
   */
  void send(MemorySegment buffer, int destination, int tag);

  /**
   * Receives one message of at most {@code buffer.byteSize()} bytes. Not collective. Messages from
   * one rank with one tag arrive in the order of their sends.
   *
   * @param source a rank or {@link #ANY_SOURCE}
   * @throws IllegalArgumentException if the source is not a rank, or the tag is out of range
   * @throws MpiException if the message exceeds the buffer, or the transport fails
   */
  Received receive(MemorySegment buffer, int source, int tag);

  /**
   * Starts a {@link #send}. Local. The buffer must be kept unchanged until the request is complete.
   * Every request must be completed by {@link Request#await} or {@link Request#done}.
   *
   * @throws IllegalArgumentException if the destination is not a rank, or the tag is out of range
   */
  Request sendLater(MemorySegment buffer, int destination, int tag);

  /**
   * Starts a {@link #receive}; the rules of {@link #sendLater} hold. Local.
   *
   * @throws IllegalArgumentException if the source is not a rank, or the tag is out of range
   */
  Request receiveLater(MemorySegment buffer, int source, int tag);

  /**
   * Splits the communicator into one per color, with ranks ordered by key, then by present rank.
   * Collective.
   *
   * @param color 0 or more
   * @throws IllegalArgumentException if the color is negative
   * @throws MpiException if the transport fails
   */
  Communicator split(int color, int key);

  /**
   * Creates a communicator of the same ranks with separate messages. Collective.
   *
   * @throws MpiException if the transport fails
   */
  Communicator duplicate();

  /**
   * Opens a file on all ranks. If a rank fails, every rank throws an {@link MpiException} with the
   * lowest such rank and its error. Collective.
   *
   * @param path the same file on every rank
   * @param hints MPI-IO hints; those a back end does not know are ignored
   * @throws MpiException on all ranks if the file cannot be opened on any rank
   */
  MpiFile openFile(Path path, OpenMode mode, Map<String, String> hints);

  /**
   * Aborts the whole job, not only this communicator, with an exit code. Not collective. Never
   * returns normally: the MPI back end ends the process; with ranks in one JVM, all throw an {@link
   * MpiException}, this one at once and the others in their current or next call.
   */
  void abort(int code);

  /**
   * Frees a communicator of {@link #split} or {@link #duplicate}. Has no effect on world and self;
   * a second call does nothing. Collective.
   *
   * @throws MpiException if the transport fails
   */
  @Override
  void close();
}
