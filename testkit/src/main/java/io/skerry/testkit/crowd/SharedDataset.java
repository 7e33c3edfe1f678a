package io.skerry.testkit.crowd;

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
 * A dataset that all members use at once, and what they know of it. Row r belongs to member r
 * modulo their number: it alone writes there, and always whole rows, so that it knows exactly what
 * they hold; chunks have rows of several members. Of the rows of others everybody knows that all
 * elements are of one write, and that writes never come back.
 *
 * <p>Members hold the lock for reading while they read, write and erase. Whoever changes the
 * extent, copies or removes the dataset holds it for writing, for then rows of all members change.
 */
final class SharedDataset {
  private final String path;
  private final Layout layout;
  private final int members;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** What every row holds: 0 if nothing was written. Each member changes its own. */
  private final int[] model = new int[Layout.MOST_ROWS];

  private volatile int rows;
  private volatile boolean gone;

  SharedDataset(String path, Layout layout, int members, int rows) {
    this.path = path;
    this.layout = layout;
    this.members = members;
    this.rows = rows;
  }

  /** What a copy of this one knows; for who holds the lock for writing. */
  SharedDataset copy(String copy) {
    SharedDataset same = new SharedDataset(copy, layout, members, rows);
    System.arraycopy(model, 0, same.model, 0, model.length);
    return same;
  }

  String path() {
    return path;
  }

  Layout layout() {
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

  /** The rows of a member that there are. */
  List<Integer> rowsOf(int member) {
    List<Integer> own = new ArrayList<>();
    for (int row = member; row < rows; row += members) {
      own.add(row);
    }
    return own;
  }

  /** Whole rows, in ascending order. */
  static Selection rows(List<Integer> wanted) {
    List<Box> boxes = new ArrayList<>();
    for (int row : wanted) {
      boxes.add(new Box(new long[] {row, 0}, new long[] {row + 1, Layout.COLUMNS}));
    }
    return Selection.blocks(boxes);
  }

  /** Writes one stamp into all elements of rows. */
  void write(Dataset dataset, List<Integer> wanted, Stamp stamp) {
    int[] numbers = new int[wanted.size() * Layout.COLUMNS];
    Arrays.fill(numbers, stamp.number());
    layout.write(dataset, rows(wanted), numbers);
    wanted.forEach(row -> model[row] = stamp.number());
  }

  void erase(Dataset dataset, List<Integer> wanted) {
    dataset.erase(rows(wanted));
    wanted.forEach(row -> model[row] = 0);
  }

  /** Takes another number of rows; for who holds the lock for writing. */
  void extend(Dataset dataset, int next) {
    dataset.extendTo(next, Layout.COLUMNS);
    for (int row = next; row < rows; row++) {
      model[row] = 0;
    }
    rows = next;
  }

  /** Whole rows as numbers. */
  int[] read(Dataset dataset, List<Integer> wanted) {
    return layout.read(dataset, rows(wanted));
  }

  /**
   * Reads rows of any members.
   *
   * @param reader who reads
   * @param newest of every row, the latest write that the reader knows of; updated
   */
  void readAndCheck(Dataset dataset, List<Integer> wanted, int reader, int[] newest) {
    int[] read = read(dataset, wanted);
    check(read.length == wanted.size() * Layout.COLUMNS, "number of elements: " + read.length);
    for (int i = 0; i < wanted.size(); i++) {
      int row = wanted.get(i);
      int[] elements = Arrays.copyOfRange(read, i * Layout.COLUMNS, (i + 1) * Layout.COLUMNS);
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
        Stamp stamp = Stamp.of(elements[0]);
        check(stamp.member() == row % members, "row " + row + " is of another member: " + stamp);
        check(stamp.write() >= newest[row], "row " + row + " is older than " + newest[row]);
        newest[row] = stamp.write();
      }
    }
  }

  /** Which elements of the rows of a member are defined. */
  void checkDefined(Dataset dataset, int member) {
    List<Integer> own = rowsOf(member);
    Selection found = dataset.defined(rows(own));
    List<Integer> defined =
        own.stream().filter(row -> !layout.isSparse() || model[row] != 0).toList();
    check(
        found.count(dataset.shape()) == (long) defined.size() * Layout.COLUMNS
            && found.subtract(rows(defined)).isEmpty(),
        "defined: expected rows " + defined + " actual " + found);
  }

  /** Compares everything with the model; when all members have ended. */
  void checkAll(H5File file) {
    Dataset dataset = file.dataset(path);
    check(dataset.shape().extent(0) == rows, "rows: " + rows + " actual " + dataset.shape());
    for (int member = 0; member < members; member++) {
      int reader = member;
      readAndCheck(dataset, rowsOf(member), reader, new int[Layout.MOST_ROWS]);
      checkDefined(dataset, member);
    }
  }

  /** All elements in row-major order, little-endian. */
  int[] numbers() {
    int[] all = new int[rows * Layout.COLUMNS];
    for (int row = 0; row < rows; row++) {
      Arrays.fill(all, row * Layout.COLUMNS, (row + 1) * Layout.COLUMNS, model[row]);
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
