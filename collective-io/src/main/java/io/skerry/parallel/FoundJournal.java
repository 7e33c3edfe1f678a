package io.skerry.parallel;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Describes the journal beside an HDF5 file that no writer has open. Immutable. The constructor and
 * all methods are local and thread-safe; they do not fail.
 *
 * @param file the HDF5 file; if it is stored as several member files, the member with the
 *     superblock
 * @param journal the path of the journal, which need not exist
 * @param state the state of the journal
 * @param blocks the number of blocks in the journal; 0 unless the journal is complete
 * @param bytes the total number of bytes of these blocks
 * @param foreign the address of a block that another program changed, if the state is {@link
 *     State#REFUSED}, relative to the base address of the file; otherwise empty
 */
public record FoundJournal(
    Path file, Path journal, State state, long blocks, long bytes, OptionalLong foreign) {

  /**
   * The states of a journal, which define how recovery treats the last flush of the file. In the
   * states {@link #EMPTY}, {@link #UNFINISHED} and {@link #DONE}, recovery fails and keeps the
   * journal if the superblock shows that a flush was interrupted while it replaced blocks: this
   * journal cannot complete that flush.
   */
  public enum State {
    /** There is no journal, usually because the last writer closed the file or was not Skerry. */
    ABSENT,
    /** The journal is empty, usually because the writer ended between two flushes. */
    EMPTY,
    /**
     * The journal is incomplete, usually because the flush was interrupted before it replaced a
     * block. Recovery discards the journal.
     */
    UNFINISHED,
    /**
     * The journal is complete, and the file does not hold all of its blocks yet. Recovery writes
     * them.
     */
    PENDING,
    /**
     * The journal is complete, and the file holds all of its blocks. Recovery removes the journal.
     */
    DONE,
    /**
     * The journal is complete, but at least one block of the file has neither its content before
     * the flush nor the content that the flush was to write: another program changed it. Recovery
     * fails and changes neither the file nor the journal.
     */
    REFUSED
  }

  /**
   * Creates the description of a journal that is absent, empty or incomplete. Local, thread-safe;
   * does not fail.
   *
   * @param file the HDF5 file
   * @param journal the path of the journal
   * @param state the state of the journal
   */
  public static FoundJournal without(Path file, Path journal, State state) {
    return new FoundJournal(file, journal, state, 0, 0, OptionalLong.empty());
  }
}
