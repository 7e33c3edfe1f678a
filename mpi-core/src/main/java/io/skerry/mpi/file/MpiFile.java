package io.skerry.mpi.file;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A file that the ranks of a communicator have opened together. Positions and sizes are in bytes.
 *
 * <p>Only the thread that may use the communicator may make collective calls; see {@link
 * Communicator}. The independent calls {@link #writeAt}, {@link #readAt}, {@link #scatterAt} and
 * {@link #size} may be made by any number of threads concurrently. They use positional reads and
 * writes of the operating system instead of MPI, which is initialized for one thread. An interrupt
 * does not stop them: the call completes, and the interrupt flag stays set.
 *
 * <p><b>Errors.</b> The following statements hold for all methods, in addition to the failures that
 * each method lists:
 *
 * <ul>
 *   <li>A collective call throws an {@link IllegalStateException} if the file or the communicator
 *       is closed, or if the thread may not use the communicator. The other ranks may then wait for
 *       this rank. After {@link io.skerry.mpi.Mpi#close}, communicators that use an MPI library
 *       count as closed.
 *   <li>A collective call throws an {@link IllegalArgumentException} before it takes part in the
 *       call of the other ranks, unless its documentation states otherwise. The other ranks may
 *       then wait for this rank.
 *   <li>An independent call throws an {@link IllegalStateException} if the file is closed. If
 *       another thread closes the file during the call, the call either completes or throws this
 *       exception or an {@link MpiException}.
 *   <li>A call that uses memory throws an {@link IllegalStateException} if the arena of the memory
 *       is closed, and a {@link WrongThreadException} if the memory is confined to another thread.
 *       A collective call takes part in the call of the other ranks before it throws one of these,
 *       but transfers nothing.
 *   <li>A collective call throws an {@link MpiException} if the communication between the ranks
 *       fails; {@link Communicator} states what this includes among ranks of {@link
 *       io.skerry.mpi.LocalRanks}.
 * </ul>
 *
 * <p>Data written by one rank is visible to another rank after both have called {@link #sync}.
 */
public interface MpiFile extends AutoCloseable {

  /** Returns the absolute path of the file. Local, thread-safe; does not fail. */
  Path path();

  /**
   * Returns the name of the collective I/O implementation, as far as environment variables
   * determine it: {@code OMPIO}; {@code ROMIO}, followed by the name of the component in
   * parentheses if a variable selects it; {@code the library's own} for a library with the standard
   * ABI; or {@code Skerry}. Local, thread-safe; does not fail.
   */
  default String component() {
    return "Skerry";
  }

  /**
   * Writes {@code data}, packed in the order of the view's blocks. Collective: a rank without data
   * passes {@link FileView#EMPTY}. Views of different ranks must not overlap, which is not checked:
   * the content of a byte in several views is undefined. A failed write causes an {@link
   * MpiException} only on the ranks on which it occurred, after they have taken part in the
   * collective call; the caller must then notify the other ranks. If the library keeps the other
   * ranks waiting for a rank that failed, so that they do not reach the next collective call, the
   * job is aborted after {@code skerry.patience} seconds (300 by default).
   *
   * @param view the blocks of the file, in bytes from its start
   * @param data exactly {@code view.totalBytes()} bytes
   * @throws IllegalArgumentException if {@code data} does not have the size of the view
   * @throws IllegalStateException if the file is closed or open for reading only, if the
   *     communicator is closed, or if the thread may not use the communicator
   * @throws MpiException of class {@link MpiErrorClass#NO_SPACE} if the device is full; of a
   *     different class if the file cannot be written for another reason. Some of the data may then
   *     have been written.
   */
  void writeAtAll(FileView view, MemorySegment data);

  /**
   * Reads the view's blocks into {@code data}, packed in the order of the blocks. Collective, with
   * the same rules as {@link #writeAtAll}, but views of different ranks may overlap. If the view of
   * a rank extends beyond the end of the file, that rank reads nothing and throws an {@link
   * MpiException} of class {@link MpiErrorClass#SHORT_READ} after it has taken part in the
   * collective call.
   *
   * @param view the blocks of the file, in bytes from its start
   * @param data the memory for exactly {@code view.totalBytes()} bytes
   * @throws IllegalArgumentException if {@code data} does not have the size of the view; after this
   *     rank has taken part in the collective call, if {@code data} is read-only and not empty
   * @throws IllegalStateException if the file or the communicator is closed, or if the thread may
   *     not use the communicator
   * @throws MpiException of class {@link MpiErrorClass#SHORT_READ} if the view extends beyond the
   *     end of the file; of a different class if the file cannot be read, after which the content
   *     of the memory is undefined
   */
  void readAtAll(FileView view, MemorySegment data);

  /**
   * Writes all of {@code data} at {@code offset}. Local, thread-safe.
   *
   * @param offset the position in the file of the first byte to write
   * @param data the bytes to write
   * @throws IllegalArgumentException if the offset is negative, or the offset plus the size of the
   *     data exceeds 2<sup>63</sup>-1
   * @throws IllegalStateException if the file is closed or open for reading only, or if the arena
   *     of the data is closed
   * @throws WrongThreadException if the data is confined to another thread
   * @throws MpiException of class {@link MpiErrorClass#NO_SPACE} if the device is full; of a
   *     different class if the file cannot be written for another reason. Some of the data may then
   *     have been written.
   */
  void writeAt(long offset, MemorySegment data);

  /**
   * Fills {@code data} with the bytes at {@code offset}. Local, thread-safe.
   *
   * @param offset the position in the file of the first byte to read
   * @param data the memory to fill; a heap segment may belong to an array of any primitive type
   * @throws IllegalArgumentException if the offset is negative, the offset plus the size of the
   *     data exceeds 2<sup>63</sup>-1, or {@code data} is read-only
   * @throws IllegalStateException if the file is closed, or if the arena of the memory is closed
   * @throws WrongThreadException if the memory is confined to another thread
   * @throws MpiException of class {@link MpiErrorClass#SHORT_READ}, with the offset and the
   *     expected and actual numbers of bytes in its message, if the file ends before the last
   *     requested byte; of a different class if the file cannot be read. The content of the memory
   *     is then undefined.
   */
  void readAt(long offset, MemorySegment data);

  /**
   * Fills blocks of {@code memory}, in order, with consecutive bytes of the file, starting at
   * {@code offset}, if this file can do so without an intermediate buffer. Local, thread-safe.
   *
   * @param offset the position in the file of the first byte to read
   * @param memory the memory that contains the blocks
   * @param places the blocks to fill
   * @return true if all blocks were filled. The result is false, for example, if the memory is on
   *     the heap or read-only, if the offset is negative, or if the file ends too early. Some
   *     blocks may then already hold bytes of the file; the caller must read all bytes with {@link
   *     #readAt}, which reports any error.
   * @throws IndexOutOfBoundsException if a block is outside the memory
   * @throws IllegalStateException if the file is closed, or if the arena of the memory is closed
   *     and the memory is used
   * @throws WrongThreadException if the memory is confined to another thread and is used
   */
  default boolean scatterAt(long offset, MemorySegment memory, MemoryView places) {
    places.requireWithin(memory.byteSize());
    return false;
  }

  /**
   * Returns the current size of the file in bytes. Local, thread-safe.
   *
   * @throws IllegalStateException if the file is closed
   * @throws MpiException if the size cannot be determined
   */
  long size();

  /**
   * Truncates or extends the file; new bytes read as zero. Collective; all ranks pass the same
   * size. The size may change as soon as the first rank makes the call. If any rank writes or calls
   * {@link #size} before this call, the ranks must pass a barrier in between. If the size cannot be
   * set, at least one rank throws an {@link MpiException}, and the other ranks may return normally.
   *
   * @param bytes the new size, at least 0
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the file is closed or open for reading only, if the
   *     communicator is closed, or if the thread may not use the communicator
   * @throws MpiException if the size cannot be set; also, among ranks of {@link
   *     io.skerry.mpi.LocalRanks}, if the ranks pass different sizes
   */
  void setSize(long bytes);

  /**
   * Flushes written data to the storage device. Collective. If a rank cannot flush its data, that
   * rank throws an {@link MpiException}, and the other ranks may return normally.
   *
   * @throws IllegalStateException if the file or the communicator is closed, or if the thread may
   *     not use the communicator
   * @throws MpiException if the file cannot be flushed
   */
  void sync();

  /**
   * Closes only this rank's own channel to the file, for use when another rank has been lost and a
   * collective {@link #close} is impossible. Resources that an MPI library holds for the file are
   * kept until the process ends. Local; does not use the communicator; has no effect on a file that
   * is closed or abandoned.
   *
   * @throws MpiException if the channel cannot be closed
   */
  void abandon();

  /**
   * Closes the file on all ranks. Collective; has no effect on a file that is closed or abandoned.
   *
   * @throws IllegalStateException if the calling thread may not use the communicator, or if the
   *     communicator is closed; the file then remains open
   * @throws MpiException if the file cannot be closed; it counts as closed nevertheless
   */
  @Override
  void close();
}
