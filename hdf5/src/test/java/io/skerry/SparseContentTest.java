package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests variable-length values whose content is stored in the chunks. */
class SparseContentTest {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  @TempDir Path folder;

  private static void assertSound(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void texts_of_several_ranks_are_defined_read_and_erased(int ranks) {
    Path path = folder.resolve("texts.h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Dataset texts =
                file.createDataset(
                    "/texts",
                    DatasetSpec.of(TEXT, Shape.of(10, 10).unlimited(0))
                        .sparse(4, 4)
                        .filters(Filters.shuffle(), Filters.deflate(6)));
            long[][] points = {{world.rank(), 3}, {world.rank(), 9}, {7, world.rank()}};
            texts.write(
                Selection.points(points),
                new String[] {"a" + world.rank(), "", "é".repeat(100 + world.rank())});
          }
          try (H5File file = H5File.openForWriting(path, world)) {
            Dataset texts = file.dataset("/texts");
            assertEquals(3L * ranks, texts.defined(Selection.all()).count(texts.shape()));
            assertEquals(
                List.of("a0", "", "", "é".repeat(100)),
                texts.readStrings(Selection.points(new long[][] {{0, 3}, {0, 9}, {5, 5}, {7, 0}})));
            texts.erase(Selection.at(0, 0).extent(1, 10));
            assertEquals(3L * ranks - 2, texts.defined(Selection.all()).count(texts.shape()));
          }
        });
    assertSound(path);
  }

  @Test
  void sequences_of_texts_inside_compounds_are_read_as_written() {
    Datatype type =
        new Compound(
            20,
            List.of(
                new Compound.Member("n", 0, Datatype.I32),
                new Compound.Member("words", 4, VariableLength.sequence(TEXT))));
    List<Value> values = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      List<Value> words = new ArrayList<>();
      for (int k = 0; k < i; k++) {
        words.add(new Value.Text("w" + k));
      }
      values.add(
          new Value.Compound(
              List.of(
                  new Value.Field("n", new Value.Whole(BigInteger.valueOf(i))),
                  new Value.Field("words", new Value.Sequence(words)))));
    }
    Path path = folder.resolve("words.h5");
    try (H5File file = H5File.create(path)) {
      Dataset words = file.createDataset("/w", DatasetSpec.of(type, Shape.of(20)).sparse(7));
      words.writeValues(Selection.all(), values);
    }
    try (H5File file = H5File.open(path)) {
      assertEquals(values, file.dataset("/w").readValues(Selection.all()));
    }
    assertSound(path);
  }

  @Test
  void a_dense_dataset_of_structured_chunks_defines_every_element_and_refuses_erasure() {
    Path path = folder.resolve("dense.h5");
    try (H5File file = H5File.create(path)) {
      Dataset texts = file.createDataset("/t", DatasetSpec.of(TEXT, Shape.of(10)).structured(4));
      texts.write(Selection.at(3).extent(2), new String[] {"three", "four"});
    }
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      Dataset texts = file.dataset("/t");
      assertEquals(false, texts.isSparse());
      assertEquals(10, texts.defined(Selection.all()).count(texts.shape()));
      assertEquals(List.of("", "three", "four", ""), texts.readStrings(Selection.at(2).extent(4)));
      assertThrows(RuntimeException.class, () -> texts.erase(Selection.at(3)));
      assertThrows(UnsupportedFeatureException.class, () -> texts.readBytes(Selection.all()));
    }
  }

  @Test
  void a_dense_dataset_of_structured_chunks_becomes_sparse_through_dense_chunks() {
    Path path = folder.resolve("turned.h5");
    try (H5File file = H5File.create(path)) {
      Dataset texts = file.createDataset("/t", DatasetSpec.of(TEXT, Shape.of(10)).structured(4));
      texts.write(Selection.at(3).extent(2), new String[] {"three", "four"});
      redefined(file, "/t", "/dense", SparsityConversion.Kind.SPARSE_TO_DENSE);
      redefined(file, "/dense", "/sparse", SparsityConversion.Kind.DENSE_TO_SPARSE);
    }
    try (H5File file = H5File.open(path)) {
      Dataset sparse = file.dataset("/sparse");
      assertEquals(true, sparse.isSparse());
      assertEquals(2, sparse.defined(Selection.all()).count(sparse.shape()));
      assertEquals(List.of("", "three", "four"), sparse.readStrings(Selection.at(2).extent(3)));
    }
    assertSound(path);
  }

  private static void redefined(H5File file, String from, String to, SparsityConversion.Kind kind) {
    ObjectCopier.between(file, file)
        .storing(
            from,
            StorageChange.none()
                .redefining(new SparsityConversion(kind, Optional.empty(), _ -> {})))
        .copy(from, to);
  }

  private Path written(String name) {
    Path path = folder.resolve(name);
    try (H5File file = H5File.create(path)) {
      DatasetSpec spec =
          DatasetSpec.of(TEXT, Shape.of(8, 8)).sparse(4, 4).filters(Filters.deflate(6));
      Dataset texts = file.createDataset("/t", spec);
      texts.write(
          Selection.points(new long[][] {{0, 1}, {6, 6}, {7, 7}}),
          new String[] {"zero", "six", "seven".repeat(50)});
    }
    return path;
  }

  @Test
  void stored_chunks_with_content_are_copied_to_another_file_without_decoding() {
    Path from = written("from.h5");
    Path to = folder.resolve("to.h5");
    try (H5File source = H5File.open(from);
        H5File target = H5File.create(to)) {
      DatasetSpec spec =
          DatasetSpec.of(TEXT, Shape.of(8, 8)).sparse(4, 4).filters(Filters.deflate(6));
      Dataset copy = target.createDataset("/copy", spec);
      ChunkTable chunks = source.dataset("/t").chunks();
      assertEquals(2, chunks.count());
      assertEquals(3, chunks.at(6, 5).orElseThrow().sections().size());
      copy.writeChunk(chunks.image(6, 5).orElseThrow(), 4, 4);
    }
    try (H5File file = H5File.open(to)) {
      Dataset copy = file.dataset("/copy");
      assertEquals(2, copy.defined(Selection.all()).count(copy.shape()));
      assertEquals(
          List.of("six", "seven".repeat(50)),
          copy.readStrings(Selection.points(new long[][] {{6, 6}, {7, 7}})));
    }
    assertSound(to);
  }

  @Test
  void damage_is_reported_with_dataset_chunk_and_section_and_other_chunks_are_readable()
      throws IOException {
    Path path = written("damaged.h5");
    for (int section = 0; section < 3; section++) {
      byte[] sound = Files.readAllBytes(path);
      ChunkInfo chunk;
      try (H5File file = H5File.open(path)) {
        chunk = file.dataset("/t").chunks().at(6, 6).orElseThrow();
      }
      byte[] damaged = sound.clone();
      ChunkInfo.Section hit = chunk.sections().get(section);
      damaged[(int) (chunk.address() + hit.start() + hit.length() / 2)] ^= 4;
      Path other = Files.write(folder.resolve("d" + section + ".h5"), damaged);
      try (H5File file = H5File.open(other)) {
        Dataset texts = file.dataset("/t");
        RuntimeException refused =
            assertThrows(RuntimeException.class, () -> texts.readStrings(Selection.at(6, 6)));
        String message = String.valueOf(refused.getMessage());
        for (String word : List.of("/t", "[1, 1]", "section " + section)) {
          assertTrue(message.contains(word), word + " in: " + message);
        }
        assertEquals(List.of("zero"), texts.readStrings(Selection.at(0, 1)));
      }
    }
  }
}
