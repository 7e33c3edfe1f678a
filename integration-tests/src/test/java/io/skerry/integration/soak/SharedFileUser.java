package io.skerry.integration.soak;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/**
 * A task with its own group in a file that other threads use, too. It creates a dataset, writes,
 * reads, erases, flushes, and deletes the group. An operation that an interrupt cancels has no
 * effect, and is repeated or skipped.
 */
final class SharedFileUser implements Runnable {
  private static final int ELEMENTS = 400;
  private static final int STEPS = 40;
  private static final int CHUNK = 30;

  private final H5File file;
  private final String home;
  private final Random random;
  private final int[] values = new int[ELEMENTS];
  private final BitSet written = new BitSet();
  private final Kind kind;
  private long refused;

  /** The storage of the elements. */
  private enum Kind {
    DENSE,
    FILTERED,
    SPARSE,
    CONTIGUOUS,
    TEXTS,
    SPARSE_TEXTS;

    DatasetSpec spec() {
      Shape shape = Shape.of(ELEMENTS);
      DatasetSpec numbers = DatasetSpec.of(Datatype.I32, shape);
      DatasetSpec texts = DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), shape);
      return switch (this) {
        case DENSE -> numbers.chunked(CHUNK);
        case FILTERED -> numbers.chunked(CHUNK).filters(Filters.shuffle(), Filters.deflate(1));
        case SPARSE -> numbers.sparse(CHUNK).filters(Filters.deflate(1));
        case CONTIGUOUS -> numbers.contiguous();
        case TEXTS -> texts.chunked(CHUNK);
        case SPARSE_TEXTS -> texts.sparse(CHUNK);
      };
    }

    boolean isSparse() {
      return this == SPARSE || this == SPARSE_TEXTS;
    }

    void write(Dataset dataset, Selection where, int[] numbers) {
      if (this == TEXTS || this == SPARSE_TEXTS) {
        dataset.write(where, Arrays.stream(numbers).mapToObj(Kind::text).toArray(String[]::new));
      } else {
        dataset.write(where, numbers);
      }
    }

    int[] read(Dataset dataset, Selection where) {
      return this == TEXTS || this == SPARSE_TEXTS
          ? dataset.readStrings(where).stream().mapToInt(Kind::number).toArray()
          : dataset.readInts(where);
    }

    private static String text(int number) {
      return number + "x".repeat(number % 50);
    }

    private static int number(String text) {
      return text.isEmpty() ? 0 : Integer.parseInt(text.replace("x", ""));
    }
  }

  SharedFileUser(H5File file, String home, long seed) {
    this.file = file;
    this.home = home;
    this.random = new Random(seed);
    this.kind = Kind.values()[random.nextInt(Kind.values().length)];
  }

  /** Returns the number of operations that an interrupt canceled. */
  long refused() {
    return refused;
  }

  @Override
  public void run() {
    insist(() -> {
      Group unused = file.createGroup(home);
    });
    String path = home + "/" + kind;
    insist(() -> {
      Dataset unused = file.createDataset(path, kind.spec());
    });
    for (int i = 0; i < STEPS; i++) {
      int number = i + 1;
      attempt(() -> step(path, number));
    }
    insist(() -> compare(path, 0, ELEMENTS));
    insist(() -> file.unlink(home));
  }

  /** Repeats an action until no interrupt cancels it. */
  private void insist(Runnable action) {
    while (!attempt(action)) {
      Thread.onSpinWait();
    }
  }

  /** Runs an action; returns false if an interrupt canceled it. */
  private boolean attempt(Runnable action) {
    try {
      action.run();
      return true;
    } catch (RequestInterruptedException e) {
      refused++;
      if (!Thread.interrupted()) {
        throw new AssertionError("the interrupt is lost", e);
      }
      return false;
    } finally {
      // Clears half of the pending interrupts; the others cancel the next operation.
      boolean unused = random.nextBoolean() && Thread.interrupted();
    }
  }

  private void step(String path, int number) {
    int from = random.nextInt(ELEMENTS);
    int to = from + 1 + random.nextInt(ELEMENTS - from);
    Selection where = Selection.at(from).extent(to - from);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        int[] numbers = random.ints(to - from, 1, 100_000).toArray();
        kind.write(file.dataset(path), where, numbers);
        System.arraycopy(numbers, 0, values, from, numbers.length);
        written.set(from, to);
      }
      case 3, 4, 5 -> compare(path, from, to);
      case 6 -> {
        if (kind.isSparse()) {
          file.dataset(path).erase(where);
          Arrays.fill(values, from, to, 0);
          written.clear(from, to);
        } else {
          file.flush();
        }
      }
      default -> {
        file.group(home).setAttribute(Attribute.of("number", number));
        long found = file.group(home).attribute("number").orElseThrow().longs()[0];
        expect(found == number, "attribute: expected=" + number + " actual=" + found);
      }
    }
  }

  private void compare(String path, int from, int to) {
    Dataset dataset = file.dataset(path);
    Selection where = Selection.at(from).extent(to - from);
    int[] found = kind.read(dataset, where);
    int[] expected = Arrays.copyOfRange(values, from, to);
    expect(
        Arrays.equals(found, expected),
        "expected=" + Arrays.toString(expected) + " actual=" + Arrays.toString(found));
    if (kind.isSparse()) {
      long defined = dataset.defined(where).count(dataset.shape());
      long wanted = written.get(from, to).cardinality();
      expect(defined == wanted, "defined: expected=" + wanted + " actual=" + defined);
    }
  }

  private void expect(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(home + "/" + kind + ": " + what);
    }
  }
}
