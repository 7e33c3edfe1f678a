package io.skerry.parallel;

import java.util.Set;

/**
 * Reports the work that the last write, erasure, read or flush of a file did on this rank. It is
 * the counterpart of {@code H5Pget_mpio_actual_io_mode} and {@code H5Pget_mpio_no_collective_cause}
 * of the C library, and also gives amounts.
 *
 * @param operation the operation; includes a flush at the beginning of a write or read
 * @param subject the path of the dataset or datasets; empty for a flush
 * @param rounds the number of rounds of the exchange or of the read; equal on all ranks
 * @param chunksOwned the number of chunks into which this rank merged pieces
 * @param chunksShared the number of these chunks to which several ranks wrote
 * @param bytesMoved the number of bytes of pieces that this rank sent to other ranks
 * @param bytesAllocated the number of bytes of the file that were allocated for chunks of this rank
 * @param bytesWritten the number of bytes that this rank wrote in collective calls
 * @param bytesRead the number of bytes that this rank read in collective calls
 * @param viewExtents the number of extents of the file views of these calls
 * @param departures the ways in which chunk owners were bypassed; equal on all ranks
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

  /** Copies the set of departures. Local, thread-safe; does not fail. */
  public TransferReport {
    departures = Set.copyOf(departures);
  }

  /** A departure from the usual transfer through chunk owners. */
  public enum Departure {
    /** Every rank wrote only to chunks that it owned, so nothing was exchanged. */
    NOTHING_SHARED,
    /** Pieces were written into stored chunks of fixed size, each by one rank only. */
    IN_PLACE,
    /** Whole chunks, each written by one rank only, were written directly to free space. */
    WHOLE_CHUNKS,
    /** The dataset is contiguous, so it has no chunks. */
    ONE_BLOCK,
    /**
     * All ranks flushed first: before a write, because there was too much unflushed data or because
     * an erasure had to find the existing chunks; before a read, because the dataset had unflushed
     * changes.
     */
    FLUSHED_FIRST
  }

  /** Returns the report of a file before its first operation. Local, thread-safe; does not fail. */
  public static TransferReport none() {
    return new TransferReport(Operation.OPEN_FILE, "", 0, 0, 0, 0, 0, 0, 0, 0, Set.of());
  }
}
