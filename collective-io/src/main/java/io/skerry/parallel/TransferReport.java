package io.skerry.parallel;

import java.util.Set;

/**
 * Reports the work that the last write, erasure, read or flush of a file performed on this rank.
 * Queries for defined elements, and changes to chunks for a new extent, are reported too, as {@link
 * Operation#DEFINED} and {@link Operation#EXTEND}. The report is the counterpart of {@code
 * H5Pget_mpio_actual_io_mode} and {@code H5Pget_mpio_no_collective_cause} of the C library, and
 * also reports counts and sizes. If the operation had to flush first, the numbers of bytes and
 * extents include those of the flush. In a file that a single rank has open, only flushes and
 * writes to contiguous datasets are reported. Immutable.
 *
 * @param operation the operation
 * @param subject the path of the dataset or datasets; empty for a flush
 * @param rounds the number of rounds of the exchange or of the read; equal on all ranks
 * @param chunksOwned the number of chunks into which this rank merged pieces
 * @param chunksShared the number of these chunks to which several ranks wrote
 * @param bytesMoved the size, in bytes, of the pieces or values that this rank sent to other ranks
 * @param bytesAllocated the number of bytes allocated in the file for chunks of this rank
 * @param bytesWritten the number of bytes that this rank wrote in collective calls
 * @param bytesRead the number of bytes that this rank read in collective calls
 * @param viewExtents the number of contiguous extents in the file views of these calls
 * @param departures the departures from the usual transfer through chunk owners; equal on all ranks
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

  /** Creates a report with a copy of the set of departures. Local, thread-safe; does not fail. */
  public TransferReport {
    departures = Set.copyOf(departures);
  }

  /** A departure from the usual transfer through chunk owners. */
  public enum Departure {
    /** Every rank wrote only to chunks that it owned, so nothing was exchanged. */
    NOTHING_SHARED,
    /**
     * Pieces were written in place into stored chunks of fixed size, each chunk by a single rank.
     */
    IN_PLACE,
    /** Whole chunks, each written by a single rank, were written directly to free space. */
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

  /**
   * Returns the report for a file on which no operation has run yet. Local, thread-safe; does not
   * fail.
   */
  public static TransferReport none() {
    return new TransferReport(Operation.OPEN_FILE, "", 0, 0, 0, 0, 0, 0, 0, 0, Set.of());
  }
}
