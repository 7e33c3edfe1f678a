package io.skerry.recovery;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The journal beside an HDF5 file that no writer has open, and what it means for the file.
 *
 * @param file the HDF5 file, of several the one with the superblock
 * @param journal where its journal is, or would be
 * @param state what there is
 * @param blocks metadata blocks that the journal has; 0 if it is not whole
 * @param bytes bytes of these blocks
 * @param foreign address of a block that another program changed, if that makes the journal {@link
 *     State#REFUSED}; counts from the base address
 */
public record FoundJournal(
    Path file, Path journal, State state, long blocks, long bytes, OptionalLong foreign) {

  /** What a journal says about the last flush of a file. */
  public enum State {
    /** There is no journal: whoever wrote the file last closed it, or was not Skerry. */
    ABSENT,
    /** Nothing is in it: the writer ended without closing, but not within a flush. */
    EMPTY,
    /** It is not whole, so the flush ended before it replaced anything. It is discarded. */
    UNFINISHED,
    /** It is whole, and the flush has not replaced all that is in it. It is replayed. */
    PENDING,
    /** It is whole, and all that is in it is in the file: only its removal was missing. */
    DONE,
    /**
     * It is whole, but the file holds neither what was there before the flush nor what the flush
     * was to write, so another program changed it. Nothing is touched.
     */
    REFUSED
  }

  /** A journal from which no block is known. */
  public static FoundJournal without(Path file, Path journal, State state) {
    return new FoundJournal(file, journal, state, 0, 0, OptionalLong.empty());
  }
}
