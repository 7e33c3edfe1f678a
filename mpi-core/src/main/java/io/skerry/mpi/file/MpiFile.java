package io.skerry.mpi.file;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A file that the ranks of a communicator opened together. Positions and sizes are bytes.
 *
 * <p>Collective calls belong to the thread that opened the file, unless the communicator has one
 * rank, see {@link Communicator}. Independent calls, {@link #writeAt}, {@link #readAt}, {@link
 * #scatterAt} and {@link #size}, may come from any number of threads at once: they are positional
 * reads and writes outside MPI, which is initialised for one thread. An interrupt does not stop
 * them: the call completes and the interrupt flag stays set.
 *
 * <p>Data that one rank wrote is visible to another rank after both called {@link #sync}.
 */
public interface MpiFile extends AutoCloseable {

  /** Path of the file. Local, thread-safe; does not fail. */
  Path path();

  /**
   * Implementation of collective I/O: {@code OMPIO}, {@code ROMIO} or Skerry. Local, thread-safe;
   * does not fail.
   */
  default String component() {
    return "Skerry";
  }

  /**
   * Writes {@code data}, packed in the order of the view's blocks. Collective: a rank without data
   * passes {@link FileView#EMPTY}. Views of different ranks must not overlap. A failure is thrown
   * only on the ranks where it occurred, after all ranks took part; the caller must agree on it
   * with the other ranks. If the library keeps the other ranks waiting for a rank that failed, and
   * they do not reach the next collective call, the job is aborted after {@code skerry.patience}
   * seconds (300 by default).
   *
   * @param data exactly {@code view.totalBytes()} bytes
   * @throws IllegalArgumentException if {@code data} does not have the size of the view
   * @throws IllegalStateException if the file is closed or open for reading only
   * @throws MpiException if the file cannot be written
   */
  void writeAtAll(FileView view, MemorySegment data);

  /**
   * Reads the view's blocks into {@code data}, packed. Collective, as {@link #writeAtAll}; views
   * may overlap. If the view of a rank extends beyond the end of the file, that rank reads nothing
   * and throws an {@link MpiException} of class {@link MpiErrorClass#SHORT_READ} after all ranks
   * took part.
   *
   * @throws IllegalArgumentException if {@code data} does not have the size of the view
   * @throws IllegalStateException if the file is closed
   * @throws MpiException if the file cannot be read
   */
  void readAtAll(FileView view, MemorySegment data);

  /**
   * Writes all of {@code data} at {@code offset}. Local, thread-safe.
   *
   * @throws IllegalStateException if the file is closed or open for reading only
   * @throws MpiException if the file cannot be written
   */
  void writeAt(long offset, MemorySegment data);

  /**
   * Fills {@code data}, which may be an array of any primitive type, from {@code offset}. Local,
   * thread-safe. If the file ends before, throws an {@link MpiException} of class {@link
   * MpiErrorClass#SHORT_READ} with the offset and the expected and actual numbers of bytes.
   *
   * @throws IllegalStateException if the file is closed
   * @throws MpiException if the file ends before the requested bytes, or cannot be read
   */
  void readAt(long offset, MemorySegment data);

  /**
   * Fills blocks of {@code memory} in order from the consecutive bytes at {@code offset}, if this
   * file can do so without an intermediate buffer. Local, thread-safe.
   *
   * @return true if the blocks were filled. If false, some blocks may hold bytes of the file;
   *     {@link #readAt} then reads the bytes or throws the error.
   * @throws IndexOutOfBoundsException if a block is outside the memory
   * @throws IllegalStateException if the file is closed
   * @throws MpiException if the file cannot be read
   */
  default boolean scatterAt(long offset, MemorySegment memory, MemoryView places) {
    places.requireWithin(memory.byteSize());
    return false;
  }

  /**
   * Current size in bytes. Local, thread-safe.
   *
   * @throws IllegalStateException if the file is closed
   * @throws MpiException if its size cannot be read
   */
  long size();

  /**
   * Truncates or extends the file; new bytes read as zero. Collective, with the same size. The size
   * may change as soon as the first rank calls: a rank that writes or calls {@link #size} before
   * needs a barrier in between.
   *
   * @throws IllegalStateException if the file is closed or open for reading only
   * @throws MpiException if its size cannot be set
   */
  void setSize(long bytes);

  /**
   * Flushes written data to the storage device. Collective.
   *
   * @throws IllegalStateException if the file is closed
   * @throws MpiException if the file cannot be flushed
   */
  void sync();

  /**
   * Closes this rank's channel to the file alone, after another rank was lost. Resources that an
   * MPI library holds for the file are kept until the process ends. Local; a second call does
   * nothing.
   */
  void abandon();

  /**
   * Closes the file on all ranks. Collective; a second call does nothing.
   *
   * @throws MpiException if the file cannot be closed
   */
  @Override
  void close();
}
