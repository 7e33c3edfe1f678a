package io.skerry.integration.concurrency;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.VariableLength;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;

/**
 * A thread of {@link ConcurrentThreads}, called a member. It performs random operations on the file
 * and checks the values that it reads. The names of the links and attributes that it creates
 * contain its number, so it knows exactly which of them exist.
 */
final class RandomThread implements Runnable {
  private final H5File file;
  private final ConcurrentThreads.Plan plan;
  private final int number;
  private final SharedDatasets datasets;
  private final Random random;

  /** Paths of the existing links that this member created, except those of datasets. */
  private final Set<String> links = new HashSet<>();

  /**
   * Existing attributes that this member set, by object path and attribute name. Each value is a
   * number or a variable-length string.
   */
  private final Map<String, Map<String, String>> attributes = new HashMap<>();

  /** The number of the latest write that this member has seen, by dataset and row. */
  private final Map<SharedDataset, int[]> newest = new HashMap<>();

  /** Handles of datasets that this member has opened. */
  private final Map<SharedDataset, Dataset> opened = new HashMap<>();

  private int writes;
  private int names;
  private long steps;
  private long refused;

  RandomThread(H5File file, ConcurrentThreads.Plan plan, int number, SharedDatasets datasets) {
    this.file = file;
    this.plan = plan;
    this.number = number;
    this.datasets = datasets;
    this.random = new Random(plan.seed() * 1000 + number);
  }

  int number() {
    return number;
  }

  long steps() {
    return steps;
  }

  long refused() {
    return refused;
  }

  @Override
  public void run() {
    for (int i = 0; i < plan.steps(); i++) {
      try {
        step();
        steps++;
      } catch (RequestInterruptedException e) {
        refused++;
        check(Thread.currentThread().isInterrupted(), "the interrupt stays set");
      }
      if (random.nextBoolean()) {
        boolean unused = Thread.interrupted();
      }
    }
  }

  private void step() {
    int choice = random.nextInt(100);
    if (choice < 30) {
      withDataset(this::read);
    } else if (choice < 55) {
      withDataset(this::write);
    } else if (choice < 60) {
      withDataset(this::erase);
    } else if (choice < 65) {
      withDataset((shared, dataset) -> shared.checkDefined(dataset, number));
    } else if (choice < 70) {
      withDatasetAlone(this::changeExtent);
    } else if (choice < 74) {
      createDataset();
    } else if (choice < 76) {
      withDatasetAlone(this::remove);
    } else if (choice < 78) {
      withDatasetAlone(this::copy);
    } else if (choice < 82) {
      createLink();
    } else if (choice < 84) {
      removeLink();
    } else if (choice < 88) {
      list();
    } else if (choice < 92) {
      changeAttribute();
    } else if (choice < 95) {
      checkAttributes();
    } else if (choice < 97) {
      withDataset(this::look);
    } else {
      file.flush();
    }
  }

  /** An operation on a dataset. */
  @FunctionalInterface
  private interface Use {
    void of(SharedDataset shared, Dataset dataset);
  }

  private void withDataset(Use use) {
    datasets.any(random).ifPresent(shared -> with(shared, shared.lock().readLock(), use));
  }

  private void withDatasetAlone(Use use) {
    datasets.any(random).ifPresent(shared -> with(shared, shared.lock().writeLock(), use));
  }

  private void with(SharedDataset shared, Lock lock, Use use) {
    lock.lock();
    try {
      if (!shared.isGone()) {
        if (random.nextInt(4) == 0) {
          opened.remove(shared);
        }
        use.of(shared, opened.computeIfAbsent(shared, s -> file.dataset(s.path())));
      }
    } finally {
      lock.unlock();
    }
  }

  private List<Integer> some(List<Integer> rows) {
    List<Integer> some = new ArrayList<>(rows);
    some.removeIf(_ -> random.nextInt(3) == 0);
    return some;
  }

  private void read(SharedDataset shared, Dataset dataset) {
    List<Integer> rows = new ArrayList<>();
    int first = random.nextInt(shared.rows() + 1);
    int last = first + random.nextInt(shared.rows() - first + 1);
    for (int row = first; row < last; row++) {
      rows.add(row);
    }
    int[] seen = newest.computeIfAbsent(shared, _ -> new int[SharedLayout.MOST_ROWS]);
    shared.readAndCheck(dataset, random.nextBoolean() ? rows : some(rows), number, seen);
  }

  private void write(SharedDataset shared, Dataset dataset) {
    shared.write(dataset, some(shared.rowsOf(number)), new ElementStamp(number, ++writes));
  }

  private void erase(SharedDataset shared, Dataset dataset) {
    if (shared.layout().isSparse()) {
      shared.erase(dataset, some(shared.rowsOf(number)));
    }
  }

  private void changeExtent(SharedDataset shared, Dataset dataset) {
    if (shared.layout().canChangeExtent()) {
      shared.extend(dataset, random.nextInt(SharedLayout.MOST_ROWS + 1));
    }
  }

  private void look(SharedDataset shared, Dataset dataset) {
    check(dataset.shape().extent(1) == SharedLayout.COLUMNS, "columns of " + shared);
    check(dataset.isSparse() == shared.layout().isSparse(), "kind of " + shared);
    check(dataset.usage() != null && dataset.storage() != null, "storage of " + shared);
    if (shared.layout().canChangeExtent() && random.nextInt(4) == 0) {
      check(dataset.chunks().count() <= 8 * 3, "chunks of " + shared);
    }
  }

  private void createDataset() {
    if (datasets.mayBegin()) {
      boolean made = false;
      try {
        SharedLayout layout = SharedLayout.values()[random.nextInt(SharedLayout.values().length)];
        int rows = 1 + random.nextInt(SharedLayout.MOST_ROWS);
        String path = "/datasets/of" + number + "/" + names++;
        Dataset unused = file.createDataset(path, layout.spec(rows));
        datasets.add(new SharedDataset(path, layout, plan.members(), rows));
        made = true;
      } finally {
        if (!made) {
          datasets.giveUp();
        }
      }
    }
  }

  private void remove(SharedDataset shared, Dataset dataset) {
    file.unlink(shared.path());
    shared.remove();
    datasets.remove(shared);
  }

  private void copy(SharedDataset shared, Dataset dataset) {
    if (datasets.mayBegin()) {
      boolean made = false;
      try {
        String path = "/datasets/of" + number + "/" + names++;
        file.copy(shared.path(), file, path);
        datasets.add(shared.copy(path));
        made = true;
      } finally {
        if (!made) {
          datasets.giveUp();
        }
      }
    }
  }

  private String newName() {
    String group = ConcurrentThreads.groupPath(random.nextInt(ConcurrentThreads.GROUPS));
    return group + "/of" + number + "-" + names++;
  }

  private Optional<String> ownLink() {
    return links.isEmpty()
        ? Optional.empty()
        : links.stream().sorted().skip(random.nextInt(links.size())).findFirst();
  }

  private void createLink() {
    String path = newName();
    Optional<String> own = ownLink();
    int kind = random.nextInt(4);
    if (kind == 0 && own.isPresent()) {
      file.move(own.get(), path);
      links.remove(own.get());
      Optional.ofNullable(attributes.remove(own.get())).ifPresent(a -> attributes.put(path, a));
    } else if (kind == 1) {
      file.createSoftLink(path, "/nowhere");
    } else {
      Group unused = file.createGroup(path);
    }
    links.add(path);
  }

  private void removeLink() {
    Optional<String> own = ownLink();
    if (own.isPresent()) {
      file.unlink(own.get());
      links.remove(own.get());
      attributes.remove(own.get());
    }
  }

  private void list() {
    checkLinks(file, random.nextInt(ConcurrentThreads.GROUPS));
  }

  private void checkLinks(H5File where, int group) {
    String path = ConcurrentThreads.groupPath(group);
    Set<String> found = new HashSet<>();
    for (Group.Link link : where.group(path).links()) {
      if (link.name().startsWith("of" + number + "-")) {
        found.add(path + "/" + link.name());
      }
    }
    Set<String> expected = new HashSet<>(links);
    expected.removeIf(link -> !link.startsWith(path + "/"));
    check(found.equals(expected), "links: expected " + expected + " actual " + found);
  }

  private String attributeHolder() {
    return ConcurrentThreads.groupPath(random.nextInt(ConcurrentThreads.GROUPS));
  }

  private void changeAttribute() {
    String path = attributeHolder();
    H5Object object = file.object(path);
    Map<String, String> own = attributes.computeIfAbsent(path, _ -> new TreeMap<>());
    String name = "of" + number + "-" + random.nextInt(6);
    if (own.containsKey(name) && random.nextInt(3) == 0) {
      object.deleteAttribute(name);
      own.remove(name);
      return;
    }
    String other = "of" + number + "-" + (6 + random.nextInt(3));
    if (own.containsKey(name) && !own.containsKey(other) && random.nextInt(3) == 0) {
      object.renameAttribute(name, other);
      own.put(other, own.remove(name));
      return;
    }
    int value = ++writes;
    if (random.nextBoolean()) {
      object.setAttribute(Attribute.of(name, (long) value));
      own.put(name, Integer.toString(value));
    } else {
      String text = "text " + value + "y".repeat(value % 50);
      object.setAttribute(
          name,
          VariableLength.string(CharacterSet.UTF8),
          Shape.scalar(),
          List.of(new Value.Text(text)));
      own.put(name, text);
    }
  }

  private void checkAttributes() {
    checkAttributes(file, attributeHolder());
  }

  private void checkAttributes(H5File where, String path) {
    H5Object object = where.object(path);
    Map<String, String> found = new TreeMap<>();
    for (Attribute attribute : object.attributes()) {
      if (attribute.name().startsWith("of" + number + "-")) {
        found.put(
            attribute.name(),
            attribute.datatype() instanceof VariableLength
                ? ((Value.Text) attribute.values(where.contents()).getFirst()).value()
                : Long.toString(attribute.longs()[0]));
      }
    }
    Map<String, String> expected = attributes.getOrDefault(path, Collections.emptyMap());
    check(found.equals(expected), path + " attributes: expected " + expected + " actual " + found);
  }

  /** Compares the file with the content that this member expects, after all members have ended. */
  void checkAll(H5File where) {
    for (int group = 0; group < ConcurrentThreads.GROUPS; group++) {
      checkLinks(where, group);
      checkAttributes(where, ConcurrentThreads.groupPath(group));
    }
  }

  private void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("member " + number + ": " + what);
    }
  }
}
