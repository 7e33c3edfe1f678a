package io.skerry.format.index.api;

/** Receives the records of a chunk index, one per call. */
@FunctionalInterface
public interface RecordVisitor {
  /**
   * Receives one record.
   *
   * @param scaled the chunk coordinates (element coordinates divided by the chunk sizes); a new
   *     array for each call
   * @param record the record of the chunk
   */
  void visit(long[] scaled, ChunkRecord record);
}
