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
 * A dataset of two dimensions whose columns belong to threads in turn, and every so many-th to all
 * of them. The first rows are always there; the others come and go with the extent.
 */
public final class Shelf {
  public final int columns;
  public final int rows;
  public final int lastingRows;
  public final ChunkFormat format;
  public final long id;
  public final History history;

  /** Who uses rows that may go holds the read lock, who lets them come and go the other. */
  public final ReadWriteLock tail = new ReentrantReadWriteLock();

  /** Who uses the dataset holds the read lock, who deletes it and makes it anew the other. */
  public final ReadWriteLock life = new ReentrantReadWriteLock();

  /** By writer and group, the number of the last value that a writer gave the group. */
  public final AtomicLongArray groupWrites;

  private final int threads;
  private volatile Longs data;

  /**
   * @param chunks down and across
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

  /** The thread that a column belongs to; as many as there are threads means all. */
  public int owner(long column) {
    return (int) (column % (threads + 1));
  }

  /** Columns between two that belong to the same. */
  public int stride() {
    return threads + 1;
  }

  /** Bands of rows that lie in one row of chunks, each a group in the columns of all. */
  public int groups() {
    return lastingRows / (int) format.chunkShape()[0];
  }

  /** The elements of a group. */
  public Selection group(int group) {
    long height = format.chunkShape()[0];
    return Selection.at(group * height, threads)
        .extent(1, 1)
        .stride(1, stride())
        .count(height, (columns - threads + stride() - 1) / stride());
  }

  /** What all chunks together can take. */
  public long mostBytes(long largestChunk) {
    return (long) rows * columns / format.elements() * largestChunk;
  }
}
