package io.skerry;

import static io.skerry.filter.Filters.SzipCoding.NEAREST_NEIGHBOR;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.internal.file.NativeConnector;
import io.skerry.internal.log.LoggingConnector;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests copies between files of different connectors, one of which logs the calls of the other. */
class GenericCopyTest {
  private static final Reference OBJECT = new Reference(8, Reference.Kind.OBJECT);

  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  @TempDir Path folder;

  private static H5File logged(Path path, FileAccess access, Communicator ranks) {
    LoggingConnector connector =
        new LoggingConnector(new NativeConnector(), System.getLogger("io.skerry.test.copy"));
    return Connectors.open(connector, path, access, ranks, FileOptions.standard());
  }

  private static void fill(H5File file) {
    NamedDatatype type = file.createDatatype("/types/t", Datatype.I32);
    int[] numbers = IntStream.range(0, 24).toArray();
    DatasetSpec grid = DatasetSpec.of(type, Shape.of(4, 6).unlimited(0));
    file.createDataset(
            "/a/dense", grid.chunked(3, 4).filters(Filters.shuffle(), Filters.deflate(4)))
        .write(Selection.all(), numbers);
    file.createDataset(
            "/a/sparse", grid.sparse(2, 2).fillValue((byte) 1, (byte) 0, (byte) 0, (byte) 0))
        .write(Selection.at(1, 2).extent(2, 3), Arrays.copyOf(numbers, 6));
    file.createDataset("/a/text", DatasetSpec.of(TEXT, Shape.of(3)))
        .write(Selection.all(), new String[] {"one", "", "three"});
    file.createDataset("/a/texts", DatasetSpec.of(TEXT, Shape.of(5)).sparse(2))
        .write(Selection.at(3).extent(1), new String[] {"four"});
    file.createDataset("/a/scalar", DatasetSpec.of(Datatype.F64, Shape.scalar()))
        .write(Selection.all(), new double[] {2.5});
    file.createDataset("/a/null", DatasetSpec.withoutElements(Datatype.F32));
    file.createDataset("/a/refs", DatasetSpec.of(OBJECT, Shape.of(3)))
        .writeValues(
            Selection.all(),
            List.of(
                file.reference("/a/dense"), file.reference("/outside"), new Value.NullReference()));
    file.createHardLink("/a/again", "/a/dense");
    file.createHardLink("/a/up", "/a");
    file.createSoftLink("/a/soft", "dense");
    file.createExternalLink("/a/other", "other.h5", "/x");
    file.group("/a").setAttribute(Attribute.of("units", "mm"));
    file.dataset("/a/dense")
        .setAttribute("to", OBJECT, Shape.scalar(), List.of(file.reference("/a/sparse")));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void all_kinds_of_objects_are_copied_on_any_number_of_ranks(int size) {
    Path path = folder.resolve("source.h5");
    Path target = folder.resolve("target.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/outside", DatasetSpec.of(Datatype.I8, Shape.scalar()));
      fill(file);
    }
    LocalRanks.run(
        size,
        ranks -> {
          try (H5File from = H5File.open(path, ranks);
              H5File to = logged(target, FileAccess.CREATE, ranks)) {
            from.copy("/a", to, "/b/copy", CopyOption.KEEP_INNER_REFERENCES);
          }
        });
    try (H5File file = H5File.open(target)) {
      check(file);
    }
  }

  private static void check(H5File file) {
    Dataset dense = file.dataset("/b/copy/dense");
    assertArrayEquals(IntStream.range(0, 24).toArray(), dense.readInts(Selection.all()));
    assertEquals(List.of(3L, 4L), dense.storage().chunk());
    assertTrue(dense.shape().isExtendible());
    assertEquals(2, dense.specification().filters().of(0).filters().size());
    Dataset sparse = file.dataset("/b/copy/sparse");
    assertEquals(6, sparse.defined(Selection.all()).count(sparse.shape()));
    assertArrayEquals(new byte[] {1, 0, 0, 0}, sparse.fillValue());
    assertEquals(
        List.of("one", "", "three"), file.dataset("/b/copy/text").readStrings(Selection.all()));
    Dataset texts = file.dataset("/b/copy/texts");
    assertEquals(1, texts.defined(Selection.all()).count(texts.shape()));
    assertEquals(List.of("four"), texts.readStrings(Selection.at(3).extent(1)));
    assertArrayEquals(
        new double[] {2.5}, file.dataset("/b/copy/scalar").readDoubles(Selection.all()));
    assertTrue(file.dataset("/b/copy/null").isNull());
    assertEquals(
        List.of("/b/copy/again", "null", "null"),
        file.dataset("/b/copy/refs").readValues(Selection.all()).stream()
            .map(Value::toString)
            .toList());
    assertEquals(dense.readInts(Selection.all()).length, 24);
    assertEquals("mm", file.group("/b/copy").attribute("units").orElseThrow().text());
    List<Group.Link> links = new ArrayList<>(file.group("/b/copy").links());
    assertTrue(links.contains(new Group.Soft("soft", "dense")));
    assertTrue(links.contains(new Group.External("other", "other.h5", "/x")));
    assertTrue(links.contains(new Group.Hard("up", file.group("/b/copy").address())));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void datasets_with_chunks_larger_than_their_extent_are_copied(int size) {
    Path path = folder.resolve("source.h5");
    DatasetSpec empty =
        DatasetSpec.of(Datatype.I32, Shape.of(new long[] {0, 0}, new long[] {2, 3}));
    try (H5File file = H5File.create(path)) {
      DatasetSpec szip = empty.chunked(8, 2).filters(Filters.szip(NEAREST_NEIGHBOR, 16));
      for (DatasetSpec spec : List.of(szip, empty.sparse(2, 8))) {
        Dataset dataset = file.createDataset("/a/" + spec.storage(), spec);
        dataset.extendTo(2, 3);
        dataset.write(Selection.all(), new int[] {1, 2, 3, 4, 5, 6});
      }
    }
    toEachStore(size, path, GenericCopyTest::checkLarge);
  }

  /** Performs an action with a file and a new file of the same, then of another connector. */
  private void toEachStore(int size, Path path, BiConsumer<H5File, H5File> action) {
    LocalRanks.run(
        size,
        ranks -> {
          try (H5File from = H5File.open(path, ranks);
              H5File same = H5File.create(folder.resolve("same.h5"), ranks);
              H5File other = logged(folder.resolve("other.h5"), FileAccess.CREATE, ranks)) {
            action.accept(from, same);
            action.accept(from, other);
          }
        });
  }

  @Test
  void chunks_with_other_szip_lines_are_encoded_again_in_a_copy() {
    int[] numbers = IntStream.range(0, 256).map(i -> i * i).toArray();
    // Four values: the lines have 32 pixels, not the 256 of a new dataset.
    FilterSpec lines = FilterSpec.of(Filters.SZIP, FilterSpec.Flag.OPTIONAL, 169, 16, 32, 32);
    try (H5File from = H5File.create(folder.resolve("source.h5"));
        H5File to = logged(folder.resolve("target.h5"), FileAccess.CREATE, Communicator.self())) {
      from.createDataset(
              "/a/d", DatasetSpec.of(Datatype.I32, Shape.of(256)).chunked(256).filters(lines))
          .write(Selection.all(), numbers);
      from.flush();
      from.copy("/a", to, "/b");
      to.flush();
    }
    try (H5File file = H5File.open(folder.resolve("target.h5"))) {
      assertArrayEquals(numbers, file.dataset("/b/d").readInts(Selection.all()));
    }
  }

  private static void checkLarge(H5File from, H5File to) {
    from.copy("/a", to, "/b");
    to.flush();
    for (String name : List.of("/b/DENSE", "/b/SPARSE")) {
      Dataset copy = to.dataset(name);
      assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6}, copy.readInts(Selection.all()), name);
      assertEquals(from.dataset("/a" + name.substring(2)).storage(), copy.storage(), name);
    }
  }

  @Test
  void a_failed_copy_leaves_no_link() {
    Path target = folder.resolve("target.h5");
    try (H5File from = H5File.create(folder.resolve("source.h5"));
        H5File to = logged(target, FileAccess.CREATE, Communicator.self())) {
      from.createDataset("/a/d", DatasetSpec.of(Datatype.I8, Shape.of(3)));
      to.createGroup("/taken/a");
      assertThrows(RuntimeException.class, () -> from.copy("/a", to, "/taken/a"));
      assertThrows(
          CollectiveException.class, () -> from.copy("/a", to, "/new/a", CopyOption.EXPAND_SOFT));
      IllegalStateException stop = new IllegalStateException("stopped");
      ObjectCopier copier =
          ObjectCopier.between(from, to)
              .watchedBy(_ -> {
                throw stop;
              });
      from.dataset("/a/d").write(Selection.all(), new int[] {1, 2, 3});
      assertThrows(RuntimeException.class, () -> copier.copy("/a", "/new/a"));
      assertEquals(List.of("taken"), to.root().links().stream().map(Group.Link::name).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_taken_name_and_a_missing_object_fail_as_in_a_copy_within_hdf5(int size) {
    Path path = folder.resolve("source.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/a/d", DatasetSpec.of(Datatype.I8, Shape.of(3)));
      file.createSoftLink("/dangling", "/none");
    }
    toEachStore(
        size,
        path,
        (from, to) -> {
          to.createGroup("/taken/a");
          assertInstanceOf(
              IllegalStateException.class, refusal(from, "/a", to, "/taken/a").getCause());
          assertInstanceOf(
              IllegalStateException.class, refusal(from, "/a", to, "taken").getCause());
          assertInstanceOf(IllegalArgumentException.class, refusal(from, "/a", to, "/").getCause());
          for (String missing : List.of("/none", "/a/none", "/a/d/none", "/dangling")) {
            assertInstanceOf(
                NoSuchObjectException.class, refusal(from, missing, to, "/new").getCause());
          }
          assertEquals(1, to.root().links().size());
        });
  }

  private static CollectiveException refusal(H5File from, String path, H5File to, String copy) {
    return assertThrows(CollectiveException.class, () -> from.copy(path, to, copy));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void a_storage_function_that_fails_on_one_rank_fails_the_copy_on_all_ranks(int size) {
    Path path = folder.resolve("source.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/a/d", DatasetSpec.of(Datatype.I8, Shape.of(3)));
      file.createDataset("/a/e", DatasetSpec.of(Datatype.I8, Shape.of(3)));
    }
    for (RuntimeException failure :
        List.of(new IllegalStateException("stop"), new IllegalArgumentException("wrong"))) {
      LocalRanks.run(
          size,
          ranks -> {
            boolean fails = ranks.rank() == size - 1;
            try (H5File from = H5File.open(path, ranks);
                H5File to = logged(folder.resolve("target.h5"), FileAccess.CREATE, ranks)) {
              ObjectCopier copier =
                  ObjectCopier.between(from, to)
                      .storing(dataset -> {
                        if (fails && dataset.path().equals("/a/e")) {
                          throw failure;
                        }
                        return StorageChange.none();
                      });
              CollectiveException e =
                  assertThrows(CollectiveException.class, () -> copier.copy("/a", "/b"));
              assertEquals(fails ? failure : null, e.getCause());
              assertEquals(List.of(size - 1), e.failingRanks());
              assertEquals(List.of(), to.root().links());
              copier.storing(_ -> StorageChange.none()).copy("/a", "/b");
            }
          });
    }
  }
}
