package io.skerry.internal.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.CopyRun;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.LinkOrder;
import io.skerry.NamedDatatype;
import io.skerry.ObjectCopier;
import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.StorageInfo;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.format.Bytes;
import io.skerry.format.FormatBounds;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.Resolver;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectCopyTest {
  @TempDir private Path folder;

  private Path made(String name, Consumer<H5File> content) {
    return new CopyRun(folder).made(name, content);
  }

  private void between(
      Consumer<H5File> content, BiConsumer<H5File, H5File> copy, Consumer<H5File> check) {
    new CopyRun(folder).between(content, copy, check);
  }

  private static int[] numbers(int count) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> i * 7 - 3);
    return numbers;
  }

  private static void everyLayout(H5File file) {
    Shape shape = Shape.of(20, 30);
    DatasetSpec plain = DatasetSpec.of(Datatype.I32, shape);
    file.createDataset("/a/contiguous", plain.contiguous()).write(Selection.all(), numbers(600));
    file.createDataset("/a/compact", plain.compact()).write(Selection.all(), numbers(600));
    file.createDataset("/a/fixed", plain.chunked(7, 8)).write(Selection.all(), numbers(600));
    file.createDataset("/a/single", plain.chunked(20, 30)).write(Selection.all(), numbers(600));
    file.createDataset(
            "/a/growing",
            DatasetSpec.of(Datatype.I32, shape.unlimited(0))
                .chunked(3, 30)
                .filters(Filters.shuffle(), Filters.deflate(5)))
        .write(Selection.all(), numbers(600));
    file.createDataset(
            "/a/tree", DatasetSpec.of(Datatype.I32, shape.unlimited(0).unlimited(1)).chunked(4, 4))
        .write(Selection.all(), numbers(600));
    file.createDataset("/a/sparse", plain.sparse(6, 6).filters(Filters.deflate(4)))
        .write(Selection.at(3, 3).extent(5, 9), numbers(45));
    file.createDataset("/a/untouched", plain.contiguous().fillValue(new byte[] {1, 0, 0, 0}));
    file.createDataset("/a/empty", DatasetSpec.withoutElements(Datatype.F64));
  }

  private static void checkEveryLayout(H5File file, String top) {
    for (String name : List.of("contiguous", "compact", "fixed", "single", "growing", "tree")) {
      assertArrayEquals(
          numbers(600), file.dataset(top + "/" + name).readInts(Selection.all()), name);
    }
    Dataset sparse = file.dataset(top + "/sparse");
    Selection box = Selection.at(3, 3).extent(5, 9);
    assertEquals(box, sparse.defined(Selection.all()));
    assertArrayEquals(numbers(45), sparse.readInts(box));
    assertEquals(1, file.dataset(top + "/untouched").readInts(Selection.all())[599]);
    assertTrue(file.dataset(top + "/empty").isNull());
  }

  @Test
  void datasets_of_every_layout_keep_values_filters_extents_and_definedness() {
    between(
        ObjectCopyTest::everyLayout,
        (source, target) -> {
          source.copy("/a", target, "/deep/b");
          for (String name : List.of("fixed", "growing", "tree", "sparse", "compact")) {
            StorageInfo old = source.dataset("/a/" + name).storage();
            assertEquals(old, target.dataset("/deep/b/" + name).storage(), name);
            assertEquals(
                source.dataset("/a/" + name).shape(), target.dataset("/deep/b/" + name).shape());
          }
        },
        file -> checkEveryLayout(file, "/deep/b"));
  }

  @ParameterizedTest
  @EnumSource(FormatBounds.class)
  void the_copy_has_the_form_of_its_file(FormatBounds bounds) {
    Path in = made("in.h5", ObjectCopyTest::everyLayout);
    Path out = folder.resolve("out.h5");
    try (H5File source = H5File.open(in);
        H5File target =
            H5File.create(out, Communicator.self(), FileOptions.standard().withBounds(bounds))) {
      ObjectCopier.between(source, target).copyAll();
    }
    CopyRun.checked(out, file -> checkEveryLayout(file, "/a"));
    Path back = folder.resolve("back.h5");
    try (H5File source = H5File.open(out);
        H5File target = H5File.create(back)) {
      ObjectCopier.between(source, target).copyAll();
    }
    CopyRun.checked(back, file -> checkEveryLayout(file, "/a"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void any_number_of_ranks_makes_the_same_copy(int ranks) {
    Path in = made("in.h5", ObjectCopyTest::everyLayout);
    Path out = folder.resolve("out.h5");
    List<Boolean> unused =
        LocalRanks.call(
            ranks,
            world -> {
              try (H5File source = H5File.open(in, world);
                  H5File target = H5File.create(out, world)) {
                source.copy("/a", target, "/a");
                source.copy("/a/fixed", target, "/once more");
              }
              return true;
            });
    CopyRun.checked(
        out,
        file -> {
          checkEveryLayout(file, "/a");
          assertArrayEquals(numbers(600), file.dataset("/once more").readInts(Selection.all()));
        });
  }

  @Test
  void a_copy_within_the_file_is_a_separate_object() {
    Path path = made("in.h5", ObjectCopyTest::everyLayout);
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      file.dataset("/a/fixed").write(Selection.at(0, 0), new int[] {99});
      file.copy("/a", file, "/a/inner");
      file.dataset("/a/fixed").write(Selection.at(0, 0), new int[] {-3});
      assertEquals(99, file.dataset("/a/inner/fixed").readInts(Selection.at(0, 0))[0]);
      file.unlink("/a/inner");
      file.copy("/a", file, "/c");
      file.unlink("/a");
    }
    try (H5File file = H5File.open(path)) {
      checkEveryLayout(file, "/c");
    }
  }

  @Test
  void texts_of_a_copy_within_the_file_share_no_space_with_its_metadata() {
    String[] words = {"one", "two", "three", "four", "five", "six", "seven"};
    Path path = folder.resolve("within.h5");
    try (H5File file = H5File.create(path)) {
      Dataset texts =
          file.createDataset(
              "/texts",
              DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(7).unlimited(0))
                  .chunked(2));
      texts.write(Selection.all(), words);
      file.copy("/texts", file, "/copy");
      assertEquals(List.of(words), file.dataset("/copy").readStrings(Selection.all()));
    }
    CopyRun.checked(
        path,
        file -> {
          assertEquals(List.of(words), file.dataset("/texts").readStrings(Selection.all()));
          assertEquals(List.of(words), file.dataset("/copy").readStrings(Selection.all()));
        });
  }

  @Test
  void texts_and_sequences_of_a_copy_are_stored_separately() {
    VariableLength sequences = VariableLength.sequence(VariableLength.string(CharacterSet.UTF8));
    List<Value> nested = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      nested.add(
          new Value.Sequence(
              i % 3 == 0
                  ? List.of()
                  : List.of(new Value.Text("text " + i), new Value.Text("é".repeat(i)))));
    }
    String[] texts = new String[3000];
    Arrays.setAll(texts, i -> "x".repeat(i % 97) + i);
    DatasetSpec many =
        DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(3000))
            .chunked(256)
            .filters(Filters.deflate(3));
    between(
        file -> {
          file.createDataset("/nested", DatasetSpec.of(sequences, Shape.of(50)))
              .writeValues(Selection.all(), nested);
          file.createDataset("/many", many).write(Selection.all(), texts);
          file.root().setAttribute("list", sequences, Shape.of(50), nested);
        },
        (source, target) -> ObjectCopier.between(source, target).copyAll(),
        file -> {
          assertEquals(nested, file.dataset("/nested").readValues(Selection.all()));
          assertEquals(List.of(texts), file.dataset("/many").readStrings(Selection.all()));
          assertEquals(nested, file.root().attribute("list").orElseThrow().values(file.contents()));
        });
  }

  @Test
  void shared_objects_and_cycles_of_links_are_copied_as_such() {
    between(
        file -> {
          file.createGroup("/g/inner");
          file.createDataset("/g/data", DatasetSpec.of(Datatype.U8, Shape.of(4)))
              .write(Selection.all(), new byte[] {1, 2, 3, 4});
          file.createHardLink("/g/inner/up", "/g");
          file.createHardLink("/g/inner/same", "/g/data");
          file.createSoftLink("/g/soft", "data");
          file.createExternalLink("/g/elsewhere", "other.h5", "/x");
        },
        (source, target) -> source.copy("/g", target.root(), "copy"),
        file -> {
          List<Group.Link> links = file.group("/copy").links();
          assertEquals(
              List.of("data", "elsewhere", "inner", "soft"),
              links.stream().map(Group.Link::name).toList());
          assertEquals(new Group.Soft("soft", "data"), links.get(3));
          assertEquals(new Group.External("elsewhere", "other.h5", "/x"), links.get(1));
          assertEquals(file.group("/copy").address(), file.group("/copy/inner/up").address());
          long data = ((Group.Hard) links.get(0)).address();
          assertEquals(new Group.Hard("same", data), file.group("/copy/inner").links().get(0));
        });
  }

  @Test
  void many_links_and_attributes_keep_their_order() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      names.add("n" + (i * 17) % 40);
    }
    between(
        file -> {
          file.createGroup("/g", LinkOrder.TRACKED);
          for (String name : names) {
            file.createGroup("/g/" + name);
            file.group("/g").setAttribute(Attribute.of("of " + name, name.length()));
          }
        },
        (source, target) -> source.copy("/g", target, "/h"),
        file -> {
          assertEquals(40, file.group("/h").links().size());
          assertEquals(40, file.group("/h").attributes().size());
          NativeFile stored = ((NativeFile) Connectors.stored(file));
          List<String> found =
              stored.tree().links(file.group("/h").address()).stream()
                  .sorted((a, b) ->
                      Long.compare(
                          a.creationOrder().orElseThrow(), b.creationOrder().orElseThrow()))
                  .map(link -> link.name())
                  .toList();
          assertEquals(names, found);
        });
  }

  @Test
  void a_committed_type_is_copied_once_for_all_that_share_it() {
    Compound type =
        new Compound(
            12,
            List.of(
                new Compound.Member("a", 0, Datatype.I32),
                new Compound.Member("b", 4, Datatype.F64)));
    between(
        file -> {
          NamedDatatype named = file.createDatatype("/types/t", type);
          named.setAttribute(Attribute.of("meaning", "pair"));
          file.createDataset("/g/one", DatasetSpec.of(named, Shape.of(2)));
          file.createDataset("/g/two", DatasetSpec.of(named, Shape.of(3)));
        },
        (source, target) -> {
          source.copy("/g", target, "/g");
          ObjectCopier.between(source, target).copy("/", "/whole");
        },
        file -> {
          assertEquals(type, file.dataset("/g/two").datatype());
          NamedDatatype copied =
              assertInstanceOf(NamedDatatype.class, file.object("/whole/types/t"));
          assertEquals("pair", copied.attribute("meaning").orElseThrow().text());
          ObjectTree tree = ((NativeFile) Connectors.stored(file)).tree();
          assertEquals(
              shared(tree, Resolver.hardAddress(((NativeFile) Connectors.stored(file)), "/g/one")),
              shared(tree, Resolver.hardAddress(((NativeFile) Connectors.stored(file)), "/g/two")));
          long linked =
              Resolver.hardAddress(((NativeFile) Connectors.stored(file)), "/whole/types/t");
          assertEquals(3, tree.header(linked).references());
        });
  }

  private static Object shared(ObjectTree tree, long address) {
    return tree.header(address)
        .sharedReference(io.skerry.format.message.dataset.DatatypeMessage.class)
        .orElseThrow();
  }

  @Test
  void a_failed_copy_does_not_change_the_file() {
    Path in = made("in.h5", ObjectCopyTest::everyLayout);
    Path out = made("out.h5", file -> file.createGroup("/taken"));
    try (H5File source = H5File.open(in);
        H5File target = H5File.openForWriting(out, Communicator.self())) {
      assertThrows(CollectiveException.class, () -> source.copy("/a", target, "/taken"));
      assertThrows(CollectiveException.class, () -> source.copy("/nothing", target, "/b"));
      StorageChange tooFew = StorageChange.none().withChunk(List.of(3L));
      CollectiveException refused =
          assertThrows(
              CollectiveException.class,
              () ->
                  ObjectCopier.between(source, target)
                      .storing("/a/fixed", tooFew)
                      .copy("/a", "/b"));
      assertTrue(refused.getMessage().contains("one size per dimension"), refused.getMessage());
      assertEquals(1, target.root().links().size());
      source.copy("/a/fixed", target, "/fixed");
    }
    try (H5File file = H5File.open(out)) {
      assertEquals(2, file.root().links().size());
      assertArrayEquals(numbers(600), file.dataset("/fixed").readInts(Selection.all()));
    }
  }

  @Test
  void a_copy_can_have_other_storage() {
    StorageChange chunks =
        StorageChange.none().withChunk(List.of(11L, 5L)).withFilters(List.of(Filters.zstd(3)));
    between(
        ObjectCopyTest::everyLayout,
        (source, target) ->
            ObjectCopier.between(source, target)
                .storing(dataset -> dataset.isNull() ? StorageChange.none() : chunks)
                .storing(
                    "/a/tree", StorageChange.none().withLayout(StorageChange.Layout.CONTIGUOUS))
                .storing("/a/fixed", StorageChange.none().withLayout(StorageChange.Layout.COMPACT))
                .copy("/a", "/a"),
        file -> {
          checkEveryLayout(file, "/a");
          assertEquals("contiguous", file.dataset("/a/tree").storage().layout());
          assertFalse(file.dataset("/a/tree").shape().isExtendible());
          assertEquals("compact", file.dataset("/a/fixed").storage().layout());
          for (String name : List.of("contiguous", "growing", "sparse", "single")) {
            StorageInfo storage = file.dataset("/a/" + name).storage();
            assertEquals(List.of(11L, 5L), storage.chunk(), name);
            assertTrue(storage.filters().getFirst().contains("zstd"), name);
          }
        });
  }

  @Test
  void a_dense_dataset_is_converted_to_sparse_and_back() {
    float[] values = new float[600];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 10 == 0 ? i : Float.NaN;
    }
    long[] counted = {0, 0};
    byte[] nan = {0, 0, (byte) 0xc0, 0x7f};
    SparsityConversion leavingOut =
        new SparsityConversion(
            SparsityConversion.Kind.DENSE_TO_SPARSE,
            Optional.of(Bytes.of(MemorySegment.ofArray(nan))),
            n -> counted[0] += n);
    SparsityConversion filling =
        new SparsityConversion(
            SparsityConversion.Kind.SPARSE_TO_DENSE, Optional.empty(), n -> counted[1] += n);
    between(
        file ->
            file.createDataset("/d", DatasetSpec.of(Datatype.F32, Shape.of(20, 30)))
                .write(Selection.all(), values),
        (source, target) -> {
          ObjectCopier.between(source, target)
              .storing("/d", StorageChange.none().withChunk(List.of(6L, 7L)).redefining(leavingOut))
              .copy("/d", "/sparse");
          ObjectCopier.between(target, target)
              .storing("/sparse", StorageChange.none().redefining(filling))
              .copy("/sparse", "/dense");
        },
        file -> {
          assertEquals(540, counted[0]);
          assertEquals(0, counted[1]);
          Dataset sparse = file.dataset("/sparse");
          assertTrue(sparse.isSparse());
          assertEquals(60, sparse.defined(Selection.all()).count(sparse.shape()));
          assertArrayEquals(values, sparse.readFloats(Selection.all()));
          assertFalse(file.dataset("/dense").isSparse());
          assertArrayEquals(values, file.dataset("/dense").readFloats(Selection.all()));
        });
  }

  @Test
  void unwritten_elements_count_as_the_fill_value_and_not_as_undefined() {
    SparsityConversion nine =
        new SparsityConversion(
            SparsityConversion.Kind.DENSE_TO_SPARSE,
            Optional.of(Bytes.of(MemorySegment.ofArray(new byte[] {9}))),
            _ -> {});
    between(
        file ->
            file.createDataset("/d", DatasetSpec.of(Datatype.U8, Shape.of(100)).chunked(10))
                .write(Selection.at(42).extent(2), new byte[] {9, 8}),
        (source, target) ->
            ObjectCopier.between(source, target)
                .storing("/d", StorageChange.none().redefining(nine))
                .copy("/d", "/s"),
        file -> {
          Dataset sparse = file.dataset("/s");
          assertEquals(99, sparse.defined(Selection.all()).count(sparse.shape()));
          assertEquals(9, sparse.readBytes(Selection.at(42))[0]);
          assertEquals(0, sparse.readBytes(Selection.at(41))[0]);
        });
  }
}
