package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.AttributeOrder;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.LinkOrder;
import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random programs on several ranks and in several sessions add, overwrite and remove strings,
 * sequences of strings, links and attributes. The content is compared with a simple model.
 */
class ChangingContentTest {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);
  private static final Datatype TEXTS = VariableLength.sequence(TEXT);
  private static final int ROWS = 24;
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");
  private static final int PROGRAMS = THOROUGH ? 4 : 2;

  /** Writes more short texts than three collections of 4096 bytes hold. */
  private static final int ROUNDS = THOROUGH ? 50 : 20;

  @TempDir Path folder;

  /** The expected content of the file. */
  private static final class Model {
    final Map<String, String[]> texts = new TreeMap<>();
    final Map<String, List<String>> attributes = new LinkedHashMap<>();
    final Map<String, String> links = new TreeMap<>();
    List<List<String>> sequences = new ArrayList<>();
  }

  private static DatasetSpec spec(String name) {
    return switch (name) {
      case "block" -> DatasetSpec.of(TEXT, Shape.of(ROWS)).contiguous();
      case "header" -> DatasetSpec.of(TEXT, Shape.of(ROWS)).compact();
      case "chunks" -> DatasetSpec.of(TEXT, Shape.of(ROWS)).chunked(5);
      default ->
          DatasetSpec.of(TEXT, Shape.of(ROWS).unlimited(0)).chunked(7).filters(Filters.deflate(1));
    };
  }

  private static String text(Random random) {
    return "ä".repeat(random.nextInt(random.nextInt(40) == 0 ? 4000 : 60));
  }

  /** One rank's part of a program; all ranks draw the same random numbers. */
  private static final class Run {
    private final H5File file;
    private final Model model;
    private final Random random;
    private final int rank;
    private final int ranks;

    Run(H5File file, Model model, Random random, int rank, int ranks) {
      this.file = file;
      this.model = model;
      this.random = random;
      this.rank = rank;
      this.ranks = ranks;
    }

    void step() {
      switch (random.nextInt(9)) {
        case 0, 1, 2 -> overwrite();
        case 3 -> recreate();
        case 4 -> sequences();
        case 5, 6 -> attribute();
        case 7 -> link();
        default -> {
          if (random.nextBoolean()) {
            resize();
          } else {
            file.flush();
          }
        }
      }
    }

    private String dataset() {
      List<String> names = List.copyOf(model.texts.keySet());
      return names.get(random.nextInt(names.size()));
    }

    /** Writes a range on each rank; where ranges overlap, the highest rank wins. */
    private void overwrite() {
      String name = dataset();
      String[] all = model.texts.get(name);
      Selection mine = Selection.none();
      String[] written = {};
      for (int writer = 0; writer < ranks; writer++) {
        int from = random.nextInt(all.length);
        int count = random.nextInt(all.length - from + 1);
        String[] part = new String[count];
        Arrays.setAll(part, i -> text(random));
        System.arraycopy(part, 0, all, from, count);
        if (writer == rank && count > 0) {
          mine = Selection.at(from).extent(count);
          written = part;
        }
      }
      file.dataset("/" + name).write(mine, written);
    }

    private void recreate() {
      String name = dataset();
      file.unlink("/" + name);
      Dataset unused = file.createDataset("/" + name, spec(name));
      String[] empty = new String[ROWS];
      Arrays.fill(empty, "");
      model.texts.put(name, empty);
    }

    private void resize() {
      String[] old = model.texts.get("grows");
      int rows = 1 + random.nextInt(2 * ROWS);
      file.dataset("/grows").extend(rows);
      String[] now = Arrays.copyOf(old, rows);
      if (rows > old.length) {
        Arrays.fill(now, old.length, rows, "");
      }
      model.texts.put("grows", now);
    }

    private void sequences() {
      List<List<String>> lists = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        List<String> list = new ArrayList<>();
        for (int n = random.nextInt(5); n > 0; n--) {
          list.add(text(random));
        }
        lists.add(list);
      }
      model.sequences = lists;
      List<Value> values =
          lists.stream()
              .<Value>map(
                  list -> new Value.Sequence(list.stream().<Value>map(Value.Text::new).toList()))
              .toList();
      file.dataset("/sequences")
          .writeValues(
              rank == 0 ? Selection.all() : Selection.none(), rank == 0 ? values : List.of());
    }

    private void attribute() {
      Group group = file.group("/ordered");
      String name = "a" + random.nextInt(16);
      boolean there = model.attributes.containsKey(name);
      if (there && random.nextInt(3) > 0) {
        group.deleteAttribute(name);
        model.attributes.remove(name);
        return;
      }
      List<String> texts = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        texts.add(text(random));
      }
      List<Value> values = texts.stream().<Value>map(Value.Text::new).toList();
      group.setAttribute(name, TEXT, Shape.of(texts.size()), values);
      model.attributes.put(name, texts);
    }

    private void link() {
      String name = "l" + random.nextInt(20);
      if (model.links.remove(name) != null) {
        file.unlink("/plain/" + name);
      } else {
        String target = "/" + random.nextInt(1000);
        file.createSoftLink("/plain/" + name, target);
        model.links.put(name, target);
      }
    }

    void check() {
      model.texts.forEach((name, texts) ->
          assertEquals(
              Arrays.asList(texts), file.dataset("/" + name).readStrings(Selection.all()), name));
      List<Value> sequences = file.dataset("/sequences").readValues(Selection.all());
      assertEquals(
          model.sequences,
          sequences.stream().map(v -> texts(((Value.Sequence) v).elements())).toList());
      Group group = file.group("/ordered");
      assertEquals(
          List.copyOf(model.attributes.keySet()),
          group.attributes().stream().map(Attribute::name).toList());
      assertEquals(
          model.links.keySet(),
          file.group("/plain").links().stream().map(Group.Link::name).collect(Collectors.toSet()));
    }

    private static List<String> texts(List<Value> values) {
      return values.stream().map(v -> ((Value.Text) v).value()).toList();
    }
  }

  private static void begin(H5File file, Model model) {
    for (String name : List.of("block", "header", "chunks", "grows")) {
      Dataset unused = file.createDataset("/" + name, spec(name));
      String[] empty = new String[ROWS];
      Arrays.fill(empty, "");
      model.texts.put(name, empty);
    }
    Dataset unused = file.createDataset("/sequences", DatasetSpec.of(TEXTS, Shape.of(4)));
    model.sequences = List.of(List.of(), List.of(), List.of(), List.of());
    Group ordered = file.createGroup("/ordered", LinkOrder.TRACKED, AttributeOrder.TRACKED);
    Group plain = file.createGroup("/plain");
    assertTrue(ordered.links().isEmpty() && plain.links().isEmpty());
  }

  static int[] rankNumbers() {
    return THOROUGH ? new int[] {1, 2, 3} : new int[] {1, 3};
  }

  @ParameterizedTest
  @MethodSource("rankNumbers")
  void random_changes_agree_with_the_model_and_no_space_is_claimed_twice(int ranks) {
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Path path = folder.resolve("content" + ranks + "-" + seed + ".h5");
      long start = seed;
      Model[] last = new Model[1];
      LocalRanks.run(
          ranks,
          world -> {
            Model model = new Model();
            Random random = new Random(start * 100 + ranks);
            for (int opening = 0; opening < 4; opening++) {
              try (H5File file =
                  opening == 0 ? H5File.create(path, world) : H5File.openForWriting(path, world)) {
                if (opening == 0) {
                  begin(file, model);
                }
                Run run = new Run(file, model, random, world.rank(), ranks);
                for (int step = 0; step < 60; step++) {
                  run.step();
                  if (step % 20 == 7) {
                    run.check();
                  }
                }
              }
              world.barrier();
              if (world.rank() == 0) {
                clean(path);
              }
              world.barrier();
            }
            if (world.rank() == 0) {
              last[0] = model;
            }
          });
      compare(path, last[0]);
    }
  }

  private static void clean(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings, path.toString());
  }

  private void compare(Path path, Model model) {
    LocalRanks.run(
        1,
        world -> {
          try (H5File file = H5File.open(path, world)) {
            new Run(file, model, new Random(0), 0, 1).check();
          }
        });
    StringBuilder lines =
        new StringBuilder("text = lambda v: v.decode() if isinstance(v, bytes) else v\n");
    model.texts.forEach((name, texts) ->
        lines.append(
            "assert [len(text(v)) for v in f['%s'][()]] == %s\n".formatted(name, lengths(texts))));
    model.attributes.forEach((name, texts) ->
        lines.append(
            "assert [len(text(v)) for v in f['ordered'].attrs['%s']] == %s\n"
                .formatted(name, lengths(texts.toArray(String[]::new)))));
    lines.append("assert len(f['ordered'].attrs) == " + model.attributes.size() + "\n");
    lines.append("assert len(f['plain']) == " + model.links.size() + "\n");
    H5pyChecks.reads(folder, path, lines.toString());
  }

  private static List<Integer> lengths(String[] texts) {
    return Arrays.stream(texts).map(String::length).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void texts_that_h5py_wrote_are_overwritten_and_removed(int ranks) {
    for (Oracle h5py : H5pyChecks.oracles()) {
      Path path = folder.resolve("theirs" + h5py.hdf5() + ranks + ".h5");
      h5py.run(
              folder,
              "-c",
              """
              import sys, h5py
              s = h5py.string_dtype()
              with h5py.File(sys.argv[1], 'w', libver='latest') as f:
                  for n in 'abc': f.create_dataset(n, data=[n * (i % 90) for i in range(400)], dtype=s)
                  f.create_dataset('chunked', data=['c%d' % i for i in range(400)], dtype=s, chunks=(33,), maxshape=(None,))
                  f.attrs['kept'] = ['x' * 50] * 9
                  f.attrs['gone'] = ['y' * 50] * 9
              """,
              path)
          .expectSuccess();
      long before = path.toFile().length();
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.openForWriting(path, world)) {
              for (int round = 0; round < 10; round++) {
                int now = round;
                String[] texts = new String[100];
                Arrays.setAll(texts, i -> "s" + now + "-" + i);
                Selection mine = Selection.at(world.rank() * 100L).extent(100);
                file.dataset("/a").write(mine, texts);
                file.dataset("/chunked").write(mine, texts);
                file.flush();
              }
              file.unlink("/b");
              file.root().deleteAttribute("gone");
              file.dataset("/chunked").extend(390);
              file.flush();
              file.createDataset("/new", DatasetSpec.of(TEXT, Shape.of(400)))
                  .write(
                      world.rank() == 0 ? Selection.all() : Selection.none(),
                      world.rank() == 0 ? repeated() : new String[0]);
            }
          });
      assertTrue(path.toFile().length() < before + ranks * 60_000L, "" + path.toFile().length());
      clean(path);
      H5pyChecks.reads(
          folder,
          path,
          """
          text = lambda v: v.decode() if isinstance(v, bytes) else v
          n = %d
          for d in ('a', 'chunked'):
              assert [text(v) for v in f[d][:n]] == ['s9-%%d' %% (i %% 100) for i in range(n)]
          assert [text(v) for v in f['a'][n:]] == ['a' * (i %% 90) for i in range(n, 400)]
          assert [text(v) for v in f['chunked'][n:]] == ['c%%d' %% i for i in range(n, 390)]
          assert [text(v) for v in f['c'][()]] == ['c' * (i %% 90) for i in range(400)]
          assert [text(v) for v in f['new'][()]] == ['n' * 20] * 400
          assert list(f.attrs) == ['kept'] and [text(v) for v in f.attrs['kept']] == ['x' * 50] * 9
          """
              .formatted(ranks * 100));
      try (H5File file = H5File.openForWriting(path, Communicator.self())) {
        for (String name : List.of("a", "c", "chunked", "new")) {
          file.unlink("/" + name);
        }
        file.root().deleteAttribute("kept");
      }
      assertEquals(
          0, Verification.of(path, _ -> {}).bytes().getOrDefault(SpaceReport.Kind.GLOBAL_HEAP, 0L));
    }
  }

  private static String[] repeated() {
    String[] texts = new String[400];
    Arrays.fill(texts, "n".repeat(20));
    return texts;
  }

  @ParameterizedTest
  @MethodSource("rankNumbers")
  void many_short_texts_of_attributes_share_a_collection(int ranks) {
    Path path = folder.resolve("short" + ranks + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            for (int round = 0; round < ROUNDS; round++) {
              for (int i = 0; i < 20; i++) {
                int number = round * 20 + i;
                List<Value> values = List.of(new Value.Text("value " + number));
                file.root().setAttribute("a" + i, TEXT, Shape.scalar(), values);
                Value.Text read = (Value.Text) text(file, "a" + i);
                assertEquals("value " + number, read.value());
              }
              if (round % 3 == 0) {
                file.flush();
              }
            }
          }
        });
    clean(path);
    long heap = Verification.of(path, _ -> {}).bytes().get(SpaceReport.Kind.GLOBAL_HEAP);
    assertTrue(heap <= 2 * 4096, "heap " + heap);
    H5pyChecks.reads(
        folder,
        path,
        """
        text = lambda v: v.decode() if isinstance(v, bytes) else v
        assert all(text(f.attrs['a%%d' %% i]) == 'value %%d' %% (%d + i) for i in range(20))
        """
            .formatted(20 * (ROUNDS - 1)));
  }

  private static Value text(H5File file, String name) {
    Attribute attribute = file.root().attribute(name).orElseThrow();
    return attribute.values(file.contents()).getFirst();
  }
}
