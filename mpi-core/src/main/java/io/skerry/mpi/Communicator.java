package io.skerry.mpi;

import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * An ordered group of ranks that exchange messages and make collective calls.
 *
 * <p><b>Buffers.</b> All buffers are {@link MemorySegment}s; counts and displacements are in bytes.
 * Values are in native byte order. Back ends that use a native MPI library normally pass native
 * segments to it without a copy, and copy heap segments through native memory; the other back ends
 * copy both kinds. The caller may reuse a buffer when the call returns, except for the buffers of
 * {@link #sendLater} and {@link #receiveLater}. The send and receive buffers of one call must not
 * overlap. A buffer into which a rank receives must not be read-only; this includes the buffer of a
 * broadcast on ranks other than the root. The arena of a buffer must be open, and the calling
 * thread must be able to access it. If a parameter is significant at the root only, other ranks
 * pass {@link MemorySegment#NULL} or an empty array.
 *
 * <p><b>Collective</b> calls must be made by all ranks of the communicator in the same order with
 * matching arguments. A collective call need not synchronize: only {@link #barrier()} ensures that
 * every rank has entered it.
 *
 * <p><b>Threads.</b> A communicator is confined to the thread that created it, since MPI runs with
 * {@code MPI_THREAD_FUNNELED}. A call from another thread throws an {@link IllegalStateException}
 * that names both threads, except a call to {@link #rank}, {@link #size}, {@link #name} or {@link
 * #rankSet}, or a call to {@link #close} that has no effect. This restriction does not apply to a
 * communicator of one rank that uses no MPI library, such as {@link #self()}: any thread may make
 * collective calls on it, one at a time; {@link #duplicate} and {@link #split} may even run
 * concurrently.
 *
 * <p><b>Errors.</b> The following statements hold for all methods except {@link #self}, {@link
 * #rank}, {@link #size}, {@link #name} and {@link #rankSet}, which do not fail. Each method also
 * lists its invalid arguments and other failures.
 *
 * <ul>
 *   <li>An invalid argument that a rank can detect alone, such as a read-only receive buffer,
 *       causes an {@link IllegalArgumentException}.
 *   <li>A call throws an {@link IllegalStateException} if the communicator is closed, if the thread
 *       may not use it, or if the arena of a buffer is closed; and a {@link WrongThreadException}
 *       if a buffer is confined to another thread. After {@link Mpi#close}, communicators that use
 *       an MPI library count as closed.
 *   <li>Unless stated otherwise, these exceptions are thrown before the call communicates. If a
 *       rank throws one of them from a collective call, the other ranks may wait for this rank.
 *   <li>A call that communicates throws an {@link MpiException} if the transport fails. Among ranks
 *       of {@link LocalRanks}, this includes the failure or the interrupt of another rank and a
 *       deadlock; a {@link Schedule} can also inject a {@link Schedule.InjectedFailure}.
 *   <li>If arguments that must match differ between ranks, {@link LocalRanks} causes an {@link
 *       MpiException} of class {@link MpiErrorClass#MISMATCH} or {@link MpiErrorClass#TRUNCATED} on
 *       at least one rank. The other back ends detect only some of these differences; after one
 *       that they do not detect, the content of the receive buffers is undefined, or ranks wait for
 *       each other without a time limit.
 * </ul>
 *
 * <p>Source of the semantics: MPI 3.1, chapters 3, 5, 6 and 13.
 */
// Longer than other types, since more than half of the lines document the API.
public interface Communicator extends AutoCloseable {

  /** The source to pass to a receive that accepts a message from any rank. */
  int ANY_SOURCE = -1;

  /** The highest tag that a caller may use; higher tags are reserved for internal exchanges. */
  int MAX_TAG = 32_764;

  /**
   * Creates a communicator of one rank; needs no MPI library. Local, thread-safe; does not fail.
   */
  static Communicator self() {
    return Mpi.provider().self();
  }

  /**
   * Returns the number of this rank, from 0 to {@code size() - 1}. Local, thread-safe; does not
   * fail.
   */
  int rank();

  /** Returns the number of ranks. Local, thread-safe; does not fail. */
  int size();

  /**
   * Returns the name by which error messages refer to this communicator, such as {@code world} or
   * {@code world/split2.0}. Local, thread-safe; does not fail.
   */
  String name();

  /**
   * Returns the ranks of this communicator as a set. If there are several ranks, a duplicate, or a
   * split that contains all ranks, has the same set. Local, thread-safe; does not fail.
   */
  RankSet rankSet();

  /**
   * Waits, without a time limit, until every rank has called this method. Collective.
   *
   * @throws MpiException of class {@link MpiErrorClass#MISMATCH} on every rank if a rank has begun
   *     a different call in the {@link #callOrder} or has ended MPI; of a different class if the
   *     transport fails
   * @throws RuntimeException if a {@linkplain CallOrder#addWaitingAction waiting action} of this
   *     rank has thrown it; the other ranks may then wait for this rank
   */
  void barrier();

  /**
   * Returns an object that checks that higher layers begin collective calls on this communicator in
   * the same order on all ranks. Local; the caller must close the object.
   *
   * @throws IllegalArgumentException if the system property {@code skerry.patience} is not a whole
   *     number of seconds from 0 to 2<sup>63</sup>-1
   */
  CallOrder callOrder();

  /**
   * Copies the root's buffer to all ranks; all buffers have the same size. Collective.
   *
   * @param buffer the bytes to send on the root, which may be read-only; the memory for these bytes
   *     on the other ranks
   * @param root the rank that sends
   * @throws IllegalArgumentException if the root is not a rank; on ranks other than the root, if
   *     the buffer is read-only
   * @throws MpiException if the transport fails, or if the sizes of the buffers differ and the
   *     difference is detected
   */
  void broadcast(MemorySegment buffer, int root);

  /**
   * Copies rank r's {@code send} to offset {@code r * send.byteSize()} of the root's {@code
   * receive}. All ranks send the same number of bytes. Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank; at the root, if the size of {@code
   *     receive} is not the size of {@code send} times the number of ranks, if {@code receive} is
   *     read-only, or if the buffers overlap
   * @throws MpiException if the transport fails, or if the sizes of the send buffers differ and the
   *     difference is detected
   */
  void gather(MemorySegment send, MemorySegment receive, int root);

  /**
   * Copies rank r's {@code send}, which has {@code counts[r]} bytes, to offset {@code
   * displacements[r]} of the root's {@code receive}. All parameters except {@code send} and {@code
   * root} are significant at the root only. Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank; at the root, if an array does not
   *     have one element for each rank, if a count or displacement is negative, if a nonempty block
   *     extends outside {@code receive}, if the root's own count is not the size of {@code send},
   *     if {@code receive} is read-only, or if the buffers overlap
   * @throws MpiException if the transport fails, or if a count at the root differs from the size of
   *     the send buffer of that rank and the difference is detected
   */
  void gatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements, int root);

  /**
   * Copies block r of the root's {@code send} to rank r. All blocks have {@code receive.byteSize()}
   * bytes. Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank, or if {@code receive} is read-only;
   *     at the root, if the size of {@code send} is not the size of {@code receive} times the
   *     number of ranks, or if the buffers overlap
   * @throws MpiException if the transport fails, or if the sizes of the receive buffers differ and
   *     the difference is detected
   */
  void scatter(MemorySegment send, MemorySegment receive, int root);

  /**
   * Copies {@code counts[r]} bytes at offset {@code displacements[r]} of the root's {@code send} to
   * rank r, whose {@code receive} has exactly that size. The first three parameters are significant
   * at the root only. Collective.
   *
   * @throws IllegalArgumentException if the root is not a rank, or if {@code receive} is read-only;
   *     at the root, if an array does not have one element for each rank, if a count or
   *     displacement is negative, if a nonempty block extends outside {@code send}, if the root's
   *     own count is not the size of {@code receive}, or if the buffers overlap
   * @throws MpiException if the transport fails, or if a count at the root differs from the size of
   *     the receive buffer of that rank and the difference is detected
   */
  void scatterVariable(
      MemorySegment send, long[] counts, long[] displacements, MemorySegment receive, int root);

  /**
   * Like {@link #gather}, but every rank receives the result. Collective.
   *
   * @throws IllegalArgumentException if the size of {@code receive} is not the size of {@code send}
   *     times the number of ranks, if {@code receive} is read-only, or if the buffers overlap
   * @throws MpiException if the transport fails, or if the sizes of the send buffers differ and the
   *     difference is detected
   */
  void allGather(MemorySegment send, MemorySegment receive);

  /**
   * Like {@link #gatherVariable}, but every rank receives the result. All ranks pass the same
   * counts; the displacements may differ. Collective.
   *
   * @throws IllegalArgumentException if an array does not have one element for each rank, if a
   *     count or displacement is negative, if a nonempty block extends outside {@code receive}, if
   *     this rank's own count is not the size of {@code send}, if {@code receive} is read-only, or
   *     if the buffers overlap
   * @throws MpiException if the transport fails, or if the counts of the ranks differ and the
   *     difference is detected
   */
  void allGatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements);

  /**
   * Copies block d of rank s's {@code send} to block s of rank d's {@code receive}; all blocks have
   * the same size. Collective.
   *
   * @throws IllegalArgumentException if the buffers differ in size, if that size is not a multiple
   *     of the number of ranks, if {@code receive} is read-only, or if the buffers overlap
   * @throws MpiException if the transport fails, or if the sizes on different ranks differ and the
   *     difference is detected
   */
  void allToAll(MemorySegment send, MemorySegment receive);

  /**
   * Sends {@code sendCounts[d]} bytes at {@code sendDisplacements[d]} to rank d, and receives
   * {@code receiveCounts[s]} bytes from rank s at {@code receiveDisplacements[s]}. The receive
   * count for rank s must equal the number of bytes that rank s sends to this rank. No message is
   * sent for a count of zero. Collective.
   *
   * @throws IllegalArgumentException if an array does not have one element for each rank, if a
   *     count or displacement is negative, if a nonempty block extends outside its buffer, if the
   *     send and receive counts of this rank for itself differ, if {@code receive} is read-only, or
   *     if the buffers overlap
   * @throws MpiException if the transport fails, or if a receive count differs from the number of
   *     bytes sent and the difference is detected
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
   * @param send the elements of this rank
   * @param receive the memory for the result, of the same size as {@code send}
   * @param kind the type of the elements
   * @param op the operation that combines elements
   * @throws IllegalArgumentException if the buffers differ in size, overlap, or do not hold a whole
   *     number of elements, if {@code receive} is read-only, or if the operation is undefined for
   *     the elements
   * @throws MpiException if the transport fails, or if the sizes, the types or the operations of
   *     the ranks differ and the difference is detected
   */
  void allReduce(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  /**
   * Combines the elements of all lower-numbered ranks, element by element. Rank 0 receives zeros,
   * regardless of the operation. Collective.
   *
   * @param send the elements of this rank
   * @param receive the memory for the result, of the same size as {@code send}
   * @param kind the type of the elements
   * @param op the operation that combines elements
   * @throws IllegalArgumentException if the buffers differ in size, overlap, or do not hold a whole
   *     number of elements, if {@code receive} is read-only, or if the operation is undefined for
   *     the elements
   * @throws MpiException if the transport fails, or if the sizes, the types or the operations of
   *     the ranks differ and the difference is detected
   */
  void exclusiveScan(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  /**
   * Like {@link #allReduce(MemorySegment, MemorySegment, ElementKind, Reduction)}, but combines one
   * value from each rank and returns the result. Collective.
   *
   * @throws MpiException if the transport fails, or if the operations of the ranks differ and the
   *     difference is detected
   */
  long allReduce(long value, Reduction op);

  /**
   * Like {@link #allReduce(MemorySegment, MemorySegment, ElementKind, Reduction)}, but combines
   * arrays, which have the same length on all ranks, and returns the result. Collective.
   *
   * @throws MpiException if the transport fails, or if the lengths or the operations of the ranks
   *     differ and the difference is detected
   */
  long[] allReduce(long[] values, Reduction op);

  /**
   * Like {@link #exclusiveScan(MemorySegment, MemorySegment, ElementKind, Reduction)}, but combines
   * one value from each rank and returns the result. Collective.
   *
   * @throws MpiException if the transport fails, or if the operations of the ranks differ and the
   *     difference is detected
   */
  long exclusiveScan(long value, Reduction op);

  /**
   * Like {@link #exclusiveScan(MemorySegment, MemorySegment, ElementKind, Reduction)}, but combines
   * arrays, which have the same length on all ranks, and returns the result. Collective.
   *
   * @throws MpiException if the transport fails, or if the lengths or the operations of the ranks
   *     differ and the difference is detected
   */
  long[] exclusiveScan(long[] values, Reduction op);

  /**
   * Returns the values of all ranks, in rank order. Collective.
   *
   * @param value the value of this rank
   * @throws MpiException if the transport fails
   */
  long[] allGather(long value);

  /**
   * Sends {@code values[d]} to rank d; element s of the result is the value that rank s sent.
   * Collective.
   *
   * @param values the values to send, one for each rank
   * @throws IllegalArgumentException if the number of values differs from the number of ranks
   * @throws MpiException if the transport fails
   */
  long[] allToAll(long[] values);

  /**
   * Returns the root's bytes on every rank. Only the root needs to know their number. On the root,
   * the result is the array that was passed. Collective.
   *
   * @param value the bytes to send; on ranks other than the root, any array, whose content is
   *     ignored
   * @param root the rank that sends
   * @return the bytes of the root
   * @throws IllegalArgumentException if the root is not a rank
   * @throws MpiException if the transport fails, or if the roots that the ranks pass differ and the
   *     difference is detected
   */
  byte[] broadcast(byte[] value, int root);

  /**
   * Sends a message to one rank. Local, but may wait, without a time limit, until the receiver has
   * started a matching receive.
   *
   * @param buffer the bytes of the message
   * @param destination the rank that receives the message, which may be this rank
   * @param tag the tag of the message, from 0 to {@link #MAX_TAG}
   * @throws IllegalArgumentException if the destination is not a rank, or the tag is out of range
   * @throws MpiException if the transport fails
   */
  void send(MemorySegment buffer, int destination, int tag);

  /**
   * Receives one message of at most {@code buffer.byteSize()} bytes. Local, but waits for the
   * message without a time limit. Messages from one rank with one tag arrive in the order in which
   * they were sent.
   *
   * @param buffer the memory for the message
   * @param source a rank or {@link #ANY_SOURCE}
   * @param tag the tag of the message, from 0 to {@link #MAX_TAG}
   * @return the source, the tag and the number of bytes of the message
   * @throws IllegalArgumentException if the source is not a rank, the tag is out of range, or the
   *     buffer is read-only
   * @throws MpiException of class {@link MpiErrorClass#TRUNCATED} if the message is longer than the
   *     buffer; of a different class if the transport fails
   */
  Received receive(MemorySegment buffer, int source, int tag);

  /**
   * Starts a {@link #send}. Local; does not wait for the receiver. Until the request is complete,
   * the buffer must not be changed, and its arena must remain open. The caller must complete every
   * request with {@link Request#await}, or call {@link Request#done} until it returns true.
   *
   * @param buffer the bytes of the message
   * @param destination the rank that receives the message, which may be this rank
   * @param tag the tag of the message, from 0 to {@link #MAX_TAG}
   * @throws IllegalArgumentException if the destination is not a rank, or the tag is out of range
   * @throws MpiException if the transfer cannot be started
   */
  Request sendLater(MemorySegment buffer, int destination, int tag);

  /**
   * Starts a {@link #receive}. Local; does not wait for the message. Until the request is complete,
   * the buffer must not be accessed, and its arena must remain open; the request must be completed
   * as with {@link #sendLater}.
   *
   * @param buffer the memory for the message
   * @param source a rank or {@link #ANY_SOURCE}
   * @param tag the tag of the message, from 0 to {@link #MAX_TAG}
   * @throws IllegalArgumentException if the source is not a rank, the tag is out of range, or the
   *     buffer is read-only
   * @throws MpiException if the transfer cannot be started
   */
  Request receiveLater(MemorySegment buffer, int source, int tag);

  /**
   * Creates one communicator per color. Each contains the ranks that pass its color, ordered by key
   * and, among equal keys, by their rank in this communicator. Collective.
   *
   * @param color the color of this rank, at least 0
   * @param key the sort key of this rank, any number
   * @return the communicator of the ranks with the color of this rank, which the caller must close
   * @throws IllegalArgumentException if the color is negative, after all ranks have made the call
   * @throws MpiException of class {@link MpiErrorClass#MISMATCH} if the color of another rank is
   *     negative; of a different class if the transport fails, or if the MPI library cannot create
   *     the communicator
   */
  Communicator split(int color, int key);

  /**
   * Creates a communicator with the same ranks, whose messages are separate from those of this
   * communicator. Collective.
   *
   * @return the new communicator, which the caller must close
   * @throws MpiException if the transport fails, or if the MPI library cannot create the
   *     communicator
   */
  Communicator duplicate();

  /**
   * Opens a file on all ranks. If some ranks cannot open it, every rank throws an {@link
   * MpiException}. If the operating system refuses to open the file, the exception names the lowest
   * rank on which this happened and the error on that rank. In the modes that create a file, a file
   * may then have been created, or an existing file truncated. Collective.
   *
   * @param path the path of the file, which must denote the same file on every rank; if an MPI
   *     library is used, a path of the default file system
   * @param mode the access mode, the same on every rank
   * @param hints the MPI-IO hints, values by name; hints unknown to the back end are ignored
   * @return the open file
   * @throws MpiException on all ranks if the file cannot be opened on at least one rank: of class
   *     {@link MpiErrorClass#NO_SUCH_FILE}, {@link MpiErrorClass#ACCESS}, {@link
   *     MpiErrorClass#NO_SPACE} or {@link MpiErrorClass#IO} if the operating system refuses to open
   *     it, and of any class if the MPI library does; also if the transport fails
   */
  MpiFile openFile(Path path, OpenMode mode, Map<String, String> hints);

  /**
   * Aborts the whole job, not only the ranks of this communicator, with an exit code. Local. Never
   * returns normally: an MPI back end ends the process. The ranks of {@link LocalRanks} throw an
   * {@link MpiException} instead: this rank immediately, the others in their current or next call.
   * On a communicator created by {@link #self}, the call throws an {@link MpiException} and aborts
   * nothing.
   *
   * @param code the exit code of the job
   * @throws MpiException of class {@link MpiErrorClass#ABORTED} if the job uses no MPI library, if
   *     the communicator is or was derived from one created by {@link #self}, or if the back end
   *     could not end the process
   * @throws IllegalStateException if the communicator is closed, or belongs to another thread
   */
  void abort(int code);

  /**
   * Frees a communicator that {@link #split} or {@link #duplicate} created, or marks it to be freed
   * when the last handle to its {@link #callOrder} is released. Has no effect on the world
   * communicator, on a communicator created by {@link #self}, or on one that counts as closed
   * because MPI has ended; a second call does nothing. Collective.
   *
   * @throws IllegalStateException if the communicator belongs to another thread and the call would
   *     have an effect
   * @throws MpiException if the communicator cannot be freed; it is closed nevertheless
   */
  @Override
  void close();

  /**
   * The ranks of a communicator as a set, which remains usable after the communicator is closed.
   * Its size in memory does not depend on the number of ranks: it stores only that number and the
   * set from which it was split. Immutable, thread-safe. Two sets from different splits are
   * different even if they hold the same ranks, unless these are all ranks of the set that was
   * split. A deserialized set differs from the original.
   */
  final class RankSet implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int size;
    private final transient Optional<RankSet> whole;

    private RankSet(int size, Optional<RankSet> whole) {
      this.size = size;
      this.whole = whole;
    }

    /**
     * Creates the set of all ranks of a new job, or of a rank that acts alone. Local, thread-safe;
     * does not fail.
     *
     * @param size the number of ranks, at least 1; not checked
     * @return the new set, which differs from all other sets
     */
    public static RankSet of(int size) {
      return new RankSet(size, Optional.empty());
    }

    /**
     * Returns a set that represents some or all ranks of this set. Local, thread-safe; does not
     * fail.
     *
     * @param part the number of ranks in the result, from 1 to the size of this set; not checked.
     *     If it is the size of this set, the result is this set.
     * @return the set
     */
    public RankSet split(int part) {
      return part == size ? this : new RankSet(part, Optional.of(this));
    }

    private Object readResolve() {
      return of(size);
    }

    /** Returns the number of ranks. Local, thread-safe; does not fail. */
    public int size() {
      return size;
    }

    /**
     * Returns whether this set is known to contain all ranks of another set. The calling rank must
     * be in both sets, so every set contains a set of one rank. Local, thread-safe; does not fail.
     *
     * @param other the other set
     */
    public boolean containsAll(RankSet other) {
      boolean found = other.size == 1 || other.equals(this);
      return found || other.whole.map(this::containsAll).orElse(false);
    }
  }
}
