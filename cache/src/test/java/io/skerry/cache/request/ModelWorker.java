package io.skerry.cache.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.skerry.cache.History;
import io.skerry.cache.ModelRun;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.Shelf;
import io.skerry.cache.api.Fault;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.Lock;

/** One of the threads of a {@link ModelRun}. */
public final class ModelWorker {
  /** Maximum number of chunks of a request, unless it covers the whole dataset. */
  public static final int MOST_CHUNKS = 8;

  private static final int VALUE_BITS = 40;

  private final ModelRun run;
  private final int me;
  private final Random random;

  /** The last value seen, by dataset, writer and group. */
  private final Map<Long, long[]> seenGroups = new HashMap<>();

  private int operation;
  private volatile long done;

  public ModelWorker(ModelRun run, int me) {
    this.run = run;
    this.me = me;
    this.random = new Random(run.setup.seed() * 1000 + me);
  }

  /** Number of operations that have ended. */
  public long done() {
    return done;
  }

  // Only one thread writes the field.
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void operations(int count) {
    for (int i = 0; i < count; i++) {
      try {
        tryToOperate();
      } catch (RuntimeException | AssertionError e) {
        fail(run.setup + " thread=" + me + " operation=" + i + ": " + e.getMessage(), e);
      }
      done++;
    }
    done = Long.MAX_VALUE / 2;
  }

  private void tryToOperate() {
    try {
      operate();
    } catch (Fault e) {
      assertEquals(ModelRun.Mishaps.MANY, run.setup.mishaps(), e::getMessage);
    } catch (RequestInterruptedException e) {
      assertEquals(ModelRun.Mishaps.MANY, run.setup.mishaps(), e::getMessage);
      assertTrue(Thread.interrupted(), "the interrupt is lost");
      run.trouble().refused();
    }
  }

  private void operate() {
    Shelf shelf = run.shelves.get(random.nextInt(run.shelves.size()));
    int dice = random.nextInt(1000);
    if (dice < 6) {
      run.flush();
    } else if (dice < 12) {
      run.desk.cache().trim();
    } else if (dice < 15) {
      configure();
    } else if (dice < 18) {
      deleteAndMakeAnew(shelf);
    } else {
      shelf.life.readLock().lock();
      try {
        use(shelf, dice);
      } finally {
        shelf.life.readLock().unlock();
      }
    }
  }

  private void configure() {
    if (me == 0) {
      run.ceiling().configure(run.options(random));
    }
  }

  private void use(Shelf shelf, int dice) {
    if (dice < 30) {
      reshape(shelf);
    } else if (dice < 100) {
      writeGroup(shelf);
    } else if (dice < 180) {
      readGroup(shelf);
    } else if (dice < 260) {
      peek(shelf);
    } else if (dice < 290) {
      writeTwo(shelf);
    } else {
      inRows(
          shelf,
          rows -> {
            if (dice < 600) {
              read(shelf, rows);
            } else if (dice < 700) {
              defined(shelf, rows);
            } else if (dice < 780) {
              change(shelf, rows, 0);
            } else {
              change(shelf, rows, nextValue());
            }
          });
    }
  }

  private long nextValue() {
    return (long) (me + 1) << VALUE_BITS | operation + 1;
  }

  /** A half-open range of rows. */
  private record Rows(int begin, int end) {}

  @FunctionalInterface
  private interface InRows {
    void use(Rows rows);
  }

  /** Uses some rows: rows that always exist, or others while no thread changes the extent. */
  private void inRows(Shelf shelf, InRows use) {
    if (random.nextInt(3) > 0) {
      use.use(someRows(shelf, shelf.lastingRows));
      return;
    }
    Lock lock = shelf.tail.readLock();
    lock.lock();
    try {
      use.use(someRows(shelf, (int) shelf.data().shape().extent(0)));
    } finally {
      lock.unlock();
    }
  }

  private Rows someRows(Shelf shelf, int all) {
    int height = (int) shelf.format.chunkShape()[0];
    int begin = random.nextInt(all);
    int most = random.nextInt(3) == 0 ? 2 * height : height;
    return new Rows(begin, Math.min(all, begin + 1 + random.nextInt(most)));
  }

  /** A selection and its elements, in the order of the selection. */
  private record Picked(Selection selection, int[] elements) {}

  private Picked box(Shelf shelf, Rows rows, int firstColumn, int stride, int count) {
    int[] elements = new int[(rows.end() - rows.begin()) * count];
    int at = 0;
    for (int row = rows.begin(); row < rows.end(); row++) {
      for (int i = 0; i < count; i++) {
        elements[at++] = shelf.element(row, firstColumn + (long) i * stride);
      }
    }
    Selection selection =
        Selection.at(rows.begin(), firstColumn)
            .stride(1, stride)
            .count(rows.end() - rows.begin(), count);
    return new Picked(selection, elements);
  }

  /** Selects some of the columns of this thread. */
  private Picked mine(Shelf shelf, Rows rows) {
    int all = (shelf.columns - me + shelf.stride() - 1) / shelf.stride();
    int first = random.nextInt(all);
    int count = 1 + random.nextInt(all - first);
    return box(shelf, rows, me + first * shelf.stride(), shelf.stride(), count);
  }

  /** Selects some elements of any thread. */
  private Picked anybodys(Shelf shelf, Rows rows) {
    int first = random.nextInt(shelf.columns);
    if (random.nextInt(4) == 0) {
      return points(shelf, rows);
    }
    int stride = 1 + random.nextInt(3) * random.nextInt(5);
    int count = 1 + random.nextInt((shelf.columns - first + stride - 1) / stride);
    return box(shelf, rows, first, stride, count);
  }

  private Picked points(Shelf shelf, Rows rows) {
    int count = 1 + random.nextInt(6);
    long[][] points = new long[count][];
    int[] elements = new int[count];
    for (int i = 0; i < count; i++) {
      long row = rows.begin() + random.nextInt(rows.end() - rows.begin());
      points[i] = new long[] {row, random.nextInt(shelf.columns)};
      elements[i] = shelf.element(row, points[i][1]);
    }
    return new Picked(Selection.points(points), elements);
  }

  private void read(Shelf shelf, Rows rows) {
    boolean isMine = random.nextInt(3) == 0;
    Picked picked = isMine ? mine(shelf, rows) : anybodys(shelf, rows);
    Longs data = shelf.data();
    int[] before = shelf.history.versions(picked.elements());
    long[] values = new long[picked.elements().length];
    ReadRequest request = data.reading(picked.selection(), values);
    run.asked.addAndGet(request.slices().size());
    run.desk.cache().read(request);
    compare(shelf, picked.elements(), before, values);
  }

  private void compare(Shelf shelf, int[] elements, int[] before, long[] values) {
    for (int owner = 0; owner < run.setup.threads(); owner++) {
      int[] places = places(shelf, elements, owner);
      String wrong =
          shelf.history.compare(
              Arrays.stream(places).map(i -> elements[i]).toArray(),
              Arrays.stream(places).map(i -> before[i]).toArray(),
              Arrays.stream(places).mapToLong(i -> values[i]).toArray());
      // A write that failed may be visible in part.
      assertTrue(
          wrong.isEmpty()
              || wrong.startsWith(History.TORN) && run.setup.mishaps() == ModelRun.Mishaps.MANY,
          () -> "of dataset " + shelf.id + ": " + wrong);
    }
  }

  private static int[] places(Shelf shelf, int[] elements, int owner) {
    int[] found = new int[elements.length];
    int count = 0;
    for (int i = 0; i < elements.length; i++) {
      if (shelf.owner(elements[i] % shelf.columns) == owner) {
        found[count++] = i;
      }
    }
    return Arrays.copyOf(found, count);
  }

  private void defined(Shelf shelf, Rows rows) {
    Picked picked = anybodys(shelf, rows);
    Longs data = shelf.data();
    int[] before = shelf.history.versions(picked.elements());
    if (data.isSparse()) {
      run.asked.addAndGet(data.reading(picked.selection(), new long[0]).slices().size());
    }
    boolean[] defined = data.defined(picked.selection());
    for (int i = 0; i < defined.length; i++) {
      int element = picked.elements()[i];
      if (!data.isSparse()) {
        assertTrue(defined[i]);
      } else if (shelf.owner(element % shelf.columns) < run.setup.threads()) {
        boolean said = defined[i];
        int since = before[i];
        assertTrue(
            shelf.history.canBe(element, since, said),
            () -> shelf.id + " defined=" + said + shelf.history.told(element, since));
      }
    }
  }

  private void peek(Shelf shelf) {
    Longs data = shelf.data();
    long chunkRow = random.nextInt(shelf.groups());
    long chunkColumn = random.nextInt(shelf.columns / (int) shelf.format.chunkShape()[1]);
    long height = shelf.format.chunkShape()[0];
    long width = shelf.format.chunkShape()[1];
    int[] elements = new int[(int) (height * width)];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = shelf.element(chunkRow * height + i / width, chunkColumn * width + i % width);
    }
    int[] before = shelf.history.versions(elements);
    Optional<long[]> values = data.peek(chunkRow, chunkColumn);
    values.ifPresent(found -> {
      run.asked.incrementAndGet();
      compare(shelf, elements, before, found);
    });
  }

  /** Writes; erases if the value is 0 and the format supports it. */
  private void change(Shelf shelf, Rows rows, long value) {
    Picked picked = mine(shelf, rows);
    apply(List.of(shelf), List.of(picked), value);
  }

  private void apply(List<Shelf> shelves, List<Picked> picked, long value) {
    operation++;
    List<ChangeRequest> requests = new ArrayList<>();
    for (int i = 0; i < shelves.size(); i++) {
      Longs data = shelves.get(i).data();
      Selection selection = picked.get(i).selection();
      ChangeRequest request =
          value == 0 && data.isSparse() ? data.erasing(selection) : data.writing(selection, value);
      requests.add(request);
      run.asked.addAndGet(request.changes().size());
      for (int element : picked.get(i).elements()) {
        shelves.get(i).history.begin(element, operation, value);
      }
    }
    int chunks = requests.stream().mapToInt(request -> request.changes().size()).sum();
    long limit = run.desk.cache().options().active();
    try {
      run.desk.cache().write(requests);
    } catch (Fault | RequestInterruptedException e) {
      // Other threads may change the limits in the meantime.
      boolean fits =
          chunks * run.largestChunk() <= Math.min(limit, run.desk.cache().options().active());
      run.trouble().pause(() -> findOut(shelves, picked, chunks == 1 || fits));
      throw e;
    }
    for (int i = 0; i < shelves.size(); i++) {
      for (int element : picked.get(i).elements()) {
        shelves.get(i).history.end(element);
      }
    }
  }

  /** Determines which elements of a failed write were written. */
  private void findOut(List<Shelf> shelves, List<Picked> picked, boolean isWhole) {
    boolean interrupted = Thread.interrupted();
    for (int i = 0; i < shelves.size(); i++) {
      Shelf shelf = shelves.get(i);
      long[] values = shelf.data().read(picked.get(i).selection());
      for (int k = 0; k < values.length; k++) {
        int element = picked.get(i).elements()[k];
        long before = shelf.history.valueBefore(element);
        boolean unchanged = values[k] == before;
        assertTrue(
            unchanged || !isWhole && values[k] == shelf.history.value(element),
            () -> "a write that failed has changed" + shelf.history.told(element, 0));
        if (unchanged) {
          shelf.history.begin(element, History.OTHER, before);
        }
        shelf.history.end(element);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes one request to two datasets. */
  private void writeTwo(Shelf shelf) {
    Shelf other = run.shelves.get(random.nextInt(run.shelves.size()));
    if (other.id == shelf.id || !other.life.readLock().tryLock()) {
      return;
    }
    try {
      Picked first = mine(shelf, someRows(shelf, shelf.lastingRows));
      Picked second = mine(other, someRows(other, other.lastingRows));
      apply(List.of(shelf, other), List.of(first, second), nextValue());
    } finally {
      other.life.readLock().unlock();
    }
  }

  /** Writes elements that several threads write; each write is visible completely or not at all. */
  private void writeGroup(Shelf shelf) {
    int group = random.nextInt(shelf.groups());
    Longs data = shelf.data();
    boolean erases = data.isSparse() && random.nextInt(5) == 0;
    operation++;
    ChangeRequest request =
        erases
            ? data.erasing(shelf.group(group))
            : data.writing(shelf.group(group), nextValue() - 1);
    run.asked.addAndGet(request.changes().size());
    // Recorded before the write becomes visible to other threads.
    shelf.groupWrites.set(me * shelf.groups() + group, operation);
    try {
      run.desk.cache().write(List.of(request));
    } catch (Fault | RequestInterruptedException e) {
      run.trouble()
          .pause(() -> {
            boolean interrupted = Thread.interrupted();
            // The failed write may be visible in part, so it is repeated.
            run.desk.cache().write(List.of(request));
            if (interrupted) {
              Thread.currentThread().interrupt();
            }
          });
      throw e;
    }
  }

  private void readGroup(Shelf shelf) {
    int group = random.nextInt(shelf.groups());
    Longs data = shelf.data();
    long mine = shelf.groupWrites.get(me * shelf.groups() + group);
    long[] values = new long[(int) shelf.group(group).count(data.shape())];
    ReadRequest request = data.reading(shelf.group(group), values);
    run.asked.addAndGet(request.slices().size());
    run.desk.cache().read(request);
    long value = values[0];
    for (long other : values) {
      // The writer may be about to repeat the write after a failure.
      assertTrue(
          value == other || run.setup.mishaps() == ModelRun.Mishaps.MANY,
          () -> "half of a write to " + shelf.id + ", group " + group);
    }
    if (value == 0 || run.setup.mishaps() == ModelRun.Mishaps.MANY) {
      return;
    }
    int writer = (int) (value >>> VALUE_BITS) - 1;
    long number = value & (1L << VALUE_BITS) - 1;
    int slot = writer * shelf.groups() + group;
    assertTrue(number <= shelf.groupWrites.get(slot), "a value that nobody has written");
    assertTrue(writer != me || number == mine, () -> "an old value of mine: " + number);
    long[] seen =
        seenGroups.computeIfAbsent(shelf.id, _ -> new long[run.setup.threads() * shelf.groups()]);
    assertTrue(seen[slot] <= number, () -> "group " + group + " seen newer: " + seen[slot]);
    seen[slot] = number;
  }

  /** Changes the extent, concurrently with requests to rows that always exist. */
  private void reshape(Shelf shelf) {
    if (!shelf.tail.writeLock().tryLock()) {
      return;
    }
    try {
      Longs data = shelf.data();
      int before = (int) data.shape().extent(0);
      int after = shelf.lastingRows + random.nextInt(shelf.rows - shelf.lastingRows + 1);
      Shape next = Shape.of(after, shelf.columns).unlimited(0);
      long published = shelf.mostBytes(run.largestChunk());
      try (var _ = data.dataset().requests().enterAll(Kind.WRITE);
          var _ = run.desk.cache().holdStores()) {
        run.published.addAndGet(published);
        data.reshape(run.desk.store(), next);
      }
      for (int row = after; row < before; row++) {
        for (int column = 0; column < shelf.columns; column++) {
          shelf.history.begin(shelf.element(row, column), History.OTHER, 0);
          shelf.history.end(shelf.element(row, column));
        }
      }
      // If the trim fails, the chunks stay.
      run.desk.cache().trim();
      run.published.addAndGet(-published);
    } finally {
      shelf.tail.writeLock().unlock();
    }
  }

  private void deleteAndMakeAnew(Shelf shelf) {
    run.gate.lock();
    try {
      if (!shelf.life.writeLock().tryLock()) {
        return;
      }
      try {
        // The totals of bytes are updated slightly later.
        long forgotten = shelf.mostBytes(run.largestChunk());
        run.published.addAndGet(forgotten);
        run.desk.cache().keyed().forget(shelf.id);
        run.published.addAndGet(-forgotten);
        run.desk.store().removeIf(key -> key.dataset() == shelf.id);
        shelf.openAgain(run.desk);
        for (int element = 0; element < shelf.rows * shelf.columns; element++) {
          shelf.history.begin(element, History.OTHER, 0);
          shelf.history.end(element);
        }
      } finally {
        shelf.life.writeLock().unlock();
      }
    } finally {
      run.gate.unlock();
    }
  }
}
