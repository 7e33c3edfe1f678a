package io.skerry.format.index.api;

/** Receives the records of an index one by one. */
@FunctionalInterface
public interface RecordVisitor {
  /**
   * @param scaled chunk coordinates (element coordinates divided by the chunk sizes); a fresh array
   * @param record where the chunk is
   */
  void visit(long[] scaled, ChunkRecord record);
}
