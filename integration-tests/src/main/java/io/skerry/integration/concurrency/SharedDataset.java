package io.skerry.integration.concurrency;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A dataset that all members of {@link ConcurrentThreads} use at the same time, and its expected
 * content. Row r belongs to member r modulo the number of members. Only this member writes the row,
 * and always as a whole, so the member knows its content exactly. A chunk contains rows of several
 * members. A member that reads a row of another member checks that all elements come from one
 * write, and that no older write reappears.
 *
 * <p>Members hold the read lock while they read, write and erase. A member that changes the extent,
 * or copies or removes the dataset, holds the write lock, because such an operation affects the
 * rows of all members.
 */
final class SharedDataset {
  private final String path;
  private final SharedLayout layout;
  private final int members;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /**
   * The content of each row; 0 if the row was never written, or was erased. Each member changes its
   * own rows; a member that shrinks the dataset clears the removed rows.
   */
  private final int[] model = new int[SharedLayout.MOST_ROWS];

  private volatile int rows;
  private volatile boolean gone;

  SharedDataset(String path, SharedLayout layout, int members, int rows) {
    this.path = path;
    this.layout = layout;
    this.members = members;
    this.rows = rows;
  }

  /** Returns the model of a copy. The caller holds the write lock. */
  SharedDataset copy(String copy) {
    SharedDataset same = new SharedDataset(copy, layout, members, rows);
    System.arraycopy(model, 0, same.model, 0, model.length);
    return same;
  }

  String path() {
    return path;
  }

  SharedLayout layout() {
    return layout;
  }

  int rows() {
    return rows;
  }

  ReadWriteLock lock() {
    return lock;
  }

  boolean isGone() {
    return gone;
  }

  void remove() {
    gone = true;
  }

  /** Returns the existing rows of a member. */
  List<Integer> rowsOf(int member) {
    List<Integer> own = new ArrayList<>();
    for (int row = member; row < rows; row += members) {
      own.add(row);
    }
    return own;
  }

  /** Returns the selection of the given rows, which are in ascending order. */
  static Selection rows(List<Integer> wanted) {
    List<Box> boxes = new ArrayList<>();
    for (int row : wanted) {
      boxes.add(new Box(new long[] {row, 0}, new long[] {row + 1, SharedLayout.COLUMNS}));
    }
    return Selection.blocks(boxes);
  }

  /** Writes a stamp into all elements of the rows. */
  void write(Dataset dataset, List<Integer> wanted, ElementStamp stamp) {
    int[] numbers = new int[wanted.size() * SharedLayout.COLUMNS];
    Arrays.fill(numbers, stamp.number());
    layout.write(dataset, rows(wanted), numbers);
    wanted.forEach(row -> model[row] = stamp.number());
  }

  void erase(Dataset dataset, List<Integer> wanted) {
    dataset.erase(rows(wanted));
    wanted.forEach(row -> model[row] = 0);
  }

  /** Changes the number of rows. The caller holds the write lock. */
  void extend(Dataset dataset, int next) {
    dataset.extendTo(next, SharedLayout.COLUMNS);
    for (int row = next; row < rows; row++) {
      model[row] = 0;
    }
    rows = next;
  }

  /** Reads whole rows and returns their values as numbers. */
  int[] read(Dataset dataset, List<Integer> wanted) {
    return layout.read(dataset, rows(wanted));
  }

  /**
   * Reads rows of any members and checks them.
   *
   * @param reader the number of the reading member
   * @param newest for each row, the latest write that the reader has seen; updated
   */
  void readAndCheck(Dataset dataset, List<Integer> wanted, int reader, int[] newest) {
    int[] read = read(dataset, wanted);
    check(
        read.length == wanted.size() * SharedLayout.COLUMNS, "number of elements: " + read.length);
    for (int i = 0; i < wanted.size(); i++) {
      int row = wanted.get(i);
      int[] elements =
          Arrays.copyOfRange(read, i * SharedLayout.COLUMNS, (i + 1) * SharedLayout.COLUMNS);
      for (int element : elements) {
        check(
            element == elements[0],
            "half a write in row " + row + ": " + Arrays.toString(elements));
      }
      if (row % members == reader) {
        check(
            elements[0] == model[row],
            "row " + row + ": expected " + model[row] + " actual " + elements[0]);
      } else if (elements[0] != 0) {
        ElementStamp stamp = ElementStamp.of(elements[0]);
        check(stamp.member() == row % members, "row " + row + " is of another member: " + stamp);
        check(stamp.write() >= newest[row], "row " + row + " is older than " + newest[row]);
        newest[row] = stamp.write();
      }
    }
  }

  /** Checks which elements of the rows of a member are defined. */
  void checkDefined(Dataset dataset, int member) {
    List<Integer> own = rowsOf(member);
    Selection found = dataset.defined(rows(own));
    List<Integer> defined =
        own.stream().filter(row -> !layout.isSparse() || model[row] != 0).toList();
    check(
        found.count(dataset.shape()) == (long) defined.size() * SharedLayout.COLUMNS
            && found.subtract(rows(defined)).isEmpty(),
        "defined: expected rows " + defined + " actual " + found);
  }

  /** Compares the whole dataset with the model, after all members have ended. */
  void checkAll(H5File file) {
    Dataset dataset = file.dataset(path);
    check(dataset.shape().extent(0) == rows, "rows: " + rows + " actual " + dataset.shape());
    for (int member = 0; member < members; member++) {
      int reader = member;
      readAndCheck(dataset, rowsOf(member), reader, new int[SharedLayout.MOST_ROWS]);
      checkDefined(dataset, member);
    }
  }

  /** Returns the expected values of all elements, in row-major order. */
  int[] numbers() {
    int[] all = new int[rows * SharedLayout.COLUMNS];
    for (int row = 0; row < rows; row++) {
      Arrays.fill(all, row * SharedLayout.COLUMNS, (row + 1) * SharedLayout.COLUMNS, model[row]);
    }
    return all;
  }

  private void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(path + " (" + layout + "): " + what);
    }
  }

  @Override
  public String toString() {
    return path + " " + layout;
  }
}
