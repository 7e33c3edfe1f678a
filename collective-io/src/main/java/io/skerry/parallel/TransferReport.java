package io.skerry.parallel;

import java.util.Set;

/**
 * What the last write, erasure, read or flush of a file did on this rank: what {@code
 * H5Pget_mpio_actual_io_mode} and {@code H5Pget_mpio_no_collective_cause} tell of the C library,
 * and how much.
 *
 * @param operation what was done; a flush that a write or read began with counts to that
 * @param subject the dataset or datasets; empty for a flush
 * @param rounds in which pieces came to their owners, or chunks were read; the same on all ranks
 * @param chunksOwned chunks that this rank merged pieces into
 * @param chunksShared those among them that several ranks wrote to
 * @param bytesMoved bytes of pieces that this rank sent to other ranks
 * @param bytesAllocated bytes of the places that chunks of this rank were given in the file
 * @param bytesWritten bytes that this rank wrote in collective calls
 * @param bytesRead bytes that this rank read in collective calls
 * @param viewExtents pieces of the file that those calls named
 * @param departures in which ways it did without owners; the same on all ranks
 */
public record TransferReport(
    Operation operation,
    String subject,
    long rounds,
    long chunksOwned,
    long chunksShared,
    long bytesMoved,
    long bytesAllocated,
    long bytesWritten,
    long bytesRead,
    long viewExtents,
    Set<Departure> departures) {

  /** Takes a copy of the set. */
  public TransferReport {
    departures = Set.copyOf(departures);
  }

  /** A way past the exchange of pieces and the owners' memory. */
  public enum Departure {
    /** Every piece belonged to a chunk that its own rank owned: nothing was exchanged. */
    NOTHING_SHARED,
    /** Pieces went straight into stored chunks of fixed size that one rank alone wrote to. */
    IN_PLACE,
    /** Chunks that one rank alone wrote as a whole went to free space at once. */
    WHOLE_CHUNKS,
    /** The dataset stands in one block, which has no chunks to own. */
    ONE_BLOCK,
    /** So much was unstored that all ranks flushed first. */
    FLUSHED_FIRST
  }

  /** Nothing was done yet. */
  public static TransferReport none() {
    return new TransferReport(Operation.OPEN_FILE, "", 0, 0, 0, 0, 0, 0, 0, 0, Set.of());
  }
}
