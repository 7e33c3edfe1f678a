package io.skerry.cache;

import io.skerry.cache.api.Desk;
import io.skerry.cache.request.Longs;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A two-dimensional dataset whose columns are owned by the threads in turn; after one column for
 * each thread, all threads share one column. The first rows always exist; the others depend on the
 * extent.
 */
public final class Shelf {
  public final int columns;
  public final int rows;
  public final int lastingRows;
  public final ChunkFormat format;
  public final long id;
  public final History history;

  /**
   * Held for reading by threads that use the varying rows, and for writing by a thread that changes
   * the extent.
   */
  public final ReadWriteLock tail = new ReentrantReadWriteLock();

  /**
   * Held for reading by threads that use the dataset, and for writing by a thread that recreates
   * it.
   */
  public final ReadWriteLock life = new ReentrantReadWriteLock();

  /** Number of the last operation in which a writer wrote a group, by writer and group. */
  public final AtomicLongArray groupWrites;

  private final int threads;
  private volatile Longs data;

  /**
   * Creates a dataset.
   *
   * @param chunks number of chunks in each dimension
   */
  Shelf(Desk desk, long id, ChunkFormat format, int[] chunks, int threads) {
    this.id = id;
    this.format = format;
    this.threads = threads;
    rows = chunks[0] * (int) format.chunkShape()[0];
    lastingRows = (chunks[0] + 1) / 2 * (int) format.chunkShape()[0];
    columns = chunks[1] * (int) format.chunkShape()[1];
    history = new History(rows * columns);
    groupWrites = new AtomicLongArray(threads * groups());
    data = open(desk, rows);
  }

  private Longs open(Desk desk, int extent) {
    return desk.open(id, format, Shape.of(extent, columns).unlimited(0));
  }

  public Longs data() {
    return data;
  }

  public void openAgain(Desk desk) {
    data = open(desk, data.shape().extent(0) == rows ? rows : (int) data.shape().extent(0));
  }

  public int element(long row, long column) {
    return (int) (row * columns + column);
  }

  /** Returns the thread to which a column belongs; the number of threads if it belongs to all. */
  public int owner(long column) {
    return (int) (column % (threads + 1));
  }

  /** Distance between columns with the same owner. */
  public int stride() {
    return threads + 1;
  }

  /**
   * Returns the number of groups. A group is the part of the shared columns in one row of chunks
   * that always exists.
   */
  public int groups() {
    return lastingRows / (int) format.chunkShape()[0];
  }

  /** Returns the elements of a group. */
  public Selection group(int group) {
    long height = format.chunkShape()[0];
    return Selection.at(group * height, threads)
        .extent(1, 1)
        .stride(1, stride())
        .count(height, (columns - threads + stride() - 1) / stride());
  }

  /** Returns the maximum size of all chunks together, in bytes. */
  public long mostBytes(long largestChunk) {
    return (long) rows * columns / format.elements() * largestChunk;
  }
}
