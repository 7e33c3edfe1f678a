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
 * reads and writes of the file itself and never enter MPI, which is started for one thread. An
 * interrupt does not disturb them: the call is finished, the flag stays set.
 *
 * <p>What one rank wrote is certain to be seen by another after both called {@link #sync}.
 */
public interface MpiFile extends AutoCloseable {

  /** The file. Not collective. */
  Path path();

  /** What does the collective transfers: {@code OMPIO}, {@code ROMIO}, Skerry. Not collective. */
  default String component() {
    return "Skerry";
  }

  /**
   * Writes {@code data}, packed in the order of the view's blocks. Collective: a rank without
   * business passes {@link FileView#EMPTY}. Views of different ranks must not overlap. A failure is
   * thrown on the ranks that noticed it, after all have taken part; agreeing on it is the caller's.
   * Where the library leaves the others waiting for a rank that failed, and they do not come to the
   * next call where all meet, the job ends after {@code skerry.patience} seconds (300).
   *
   * @param data exactly {@code view.totalBytes()} bytes
   */
  void writeAtAll(FileView view, MemorySegment data);

  /**
   * Reads the view's blocks into {@code data}, packed. Collective as {@link #writeAtAll}; views may
   * overlap. A view that reaches beyond the end of the file ends, on its rank and after all have
   * taken part, in an {@link MpiException} of class {@link MpiErrorClass#SHORT_READ}, and nothing
   * is read for that rank.
   */
  void readAtAll(FileView view, MemorySegment data);

  /** Writes all of {@code data} at {@code offset}. Independent. */
  void writeAt(long offset, MemorySegment data);

  /**
   * Fills {@code data}, which may be an array of any kind, from {@code offset}. Independent. If the
   * file ends before, an {@link MpiException} of class {@link MpiErrorClass#SHORT_READ} names
   * offset, expected and actual bytes.
   */
  void readAt(long offset, MemorySegment data);

  /**
   * Fills places in {@code memory}, one after the other, from the consecutive bytes at {@code
   * offset}, if this file can do so without memory in between. Independent.
   *
   * @return whether it did; if not, some of the places may hold bytes of the file, and {@link
   *     #readAt} does it or says what is wrong
   * @throws IndexOutOfBoundsException if a place lies outside the memory
   */
  default boolean scatterAt(long offset, MemorySegment memory, MemoryView places) {
    places.requireWithin(memory.byteSize());
    return false;
  }

  /** The present size. Independent. */
  long size();

  /**
   * Cuts or extends the file; new bytes read as zero. Collective, with the same size. It may happen
   * as soon as the first rank calls, so whoever still writes or asks for {@link #size} needs a
   * barrier in between.
   */
  void setSize(long bytes);

  /** Brings everything written so far to the storage device. Collective. */
  void sync();

  /**
   * Closes this rank's channel to the file without the other ranks, one of which is gone. The
   * resources that an MPI library keeps for the file stay until the process ends. Local; a second
   * call does nothing.
   */
  void abandon();

  /** Closes the file on all ranks. Collective; a second call does nothing. */
  @Override
  void close();
}
