package io.skerry.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A collective task: all ranks write or read a float32 dataset with chunks of 1 MiB (256 rows of
 * 1024 values); each rank accesses its share of the rows. If the shares are shifted by half a
 * chunk, every rank except rank 0 begins inside the last chunk of the previous rank, and no rank
 * accesses the first half chunk.
 *
 * @param way write or read
 * @param storage the storage of the chunks
 * @param shift the shift of the shares
 */
record ParallelTask(Way way, Storage storage, Shift shift) {
  static final int COLUMNS = 1024;
  static final int CHUNK_ROWS = 256;

  enum Way {
    WRITE,
    READ
  }

  enum Storage {
    PLAIN,
    DEFLATE
  }

  enum Shift {
    ALIGNED,
    SHIFTED
  }

  static List<ParallelTask> all() {
    List<ParallelTask> all = new ArrayList<>();
    for (Way way : Way.values()) {
      for (Storage storage : Storage.values()) {
        for (Shift shift : Shift.values()) {
          all.add(new ParallelTask(way, storage, shift));
        }
      }
    }
    return all;
  }

  /**
   * Returns the task with the given name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static ParallelTask named(String name) {
    return all().stream()
        .filter(task -> task.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown task: name=" + name));
  }

  /** Returns a name such as {@code write-deflate-shifted}. */
  String name() {
    return (way + "-" + storage + "-" + shift).toLowerCase(Locale.ROOT);
  }

  /** Returns the first row of the share of a rank. */
  long firstRow(int rank, int ranks, long rows) {
    return rows / ranks * rank + (shift == Shift.SHIFTED ? CHUNK_ROWS / 2 : 0);
  }

  /** Returns the number of rows in the share of a rank. */
  long rows(int rank, int ranks, long rows) {
    return Math.min(firstRow(rank + 1, ranks, rows), rows) - firstRow(rank, ranks, rows);
  }
}
