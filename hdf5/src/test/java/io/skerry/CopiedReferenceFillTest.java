package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests copies of datasets whose fill value is a reference. */
class CopiedReferenceFillTest {
  private static final Reference OBJECT = new Reference(8, Reference.Kind.OBJECT);

  @TempDir private Path folder;

  /**
   * Stores a dataset whose elements have a reference as their fill value; one element is written.
   */
  private static void filled(H5File file, String target, UnaryOperator<DatasetSpec> storage) {
    var unused = file.createGroup("/g");
    file.createDataset(target, DatasetSpec.of(Datatype.U8, Shape.of(1)))
        .write(Selection.all(), new byte[] {5});
    file.createDataset("/g/refs", storage.apply(spec().fillValue(reference(file, target))))
        .writeValues(Selection.at(1), List.of(file.reference("/g")));
  }

  private static DatasetSpec spec() {
    return DatasetSpec.of(OBJECT, Shape.of(3));
  }

  private static byte[] reference(H5File file, String target) {
    Dataset element = file.createDataset("/element", DatasetSpec.of(OBJECT, Shape.of(1)));
    element.writeValues(Selection.all(), List.of(file.reference(target)));
    return element.readBytes(Selection.all());
  }

  private static List<String> targets(H5File file, String path) {
    return file.dataset(path).readValues(Selection.all()).stream()
        .map(value ->
            value instanceof Value.ObjectReference(Value.Target target)
                ? target.path().orElse("nowhere")
                : "null")
        .toList();
  }

  /** Runs a check for a contiguous and for a chunked dataset. */
  private void between(String target, BiConsumer<H5File, H5File> copy, Consumer<H5File> check) {
    List<UnaryOperator<DatasetSpec>> storages =
        List.of(UnaryOperator.identity(), spec -> spec.chunked(1));
    for (UnaryOperator<DatasetSpec> storage : storages) {
      new CopyRun(folder).between(file -> filled(file, target, storage), copy, check);
    }
  }

  @Test
  void a_fill_value_is_kept_within_a_file() {
    Path path =
        new CopyRun(folder)
            .made("same.h5", file -> filled(file, "/other", spec -> spec.chunked(1)));
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      file.copy("/g/refs", file, "/copy");
    }
    CopyRun.checked(
        path, file -> assertEquals(List.of("/other", "/g", "/other"), targets(file, "/copy")));
  }

  @Test
  void a_fill_value_becomes_null_in_another_file() {
    between(
        "/other",
        (source, target) -> source.copy("/g", target, "/h"),
        file -> assertArrayEquals(new byte[8], file.dataset("/h/refs").fillValue()));
  }

  @Test
  void a_fill_value_follows_a_copied_object() {
    between(
        "/g/data",
        (source, target) -> source.copy("/g", target, "/h", CopyOption.KEEP_INNER_REFERENCES),
        file -> assertEquals(List.of("/h/data", "/h", "/h/data"), targets(file, "/h/refs")));
  }

  @Test
  void a_fill_value_follows_a_copied_object_into_changed_storage() {
    between(
        "/g/data",
        (source, target) ->
            ObjectCopier.between(source, target, CopyOption.KEEP_INNER_REFERENCES)
                .storing(_ -> StorageChange.none().withChunk(List.of(2L)))
                .copy("/g", "/h"),
        file -> assertEquals(List.of("/h/data", "/h", "/h/data"), targets(file, "/h/refs")));
  }

  @Test
  void the_target_of_a_fill_value_is_copied_if_references_are_expanded() {
    between(
        "/other",
        (source, target) -> source.copy("/g", target, "/h", CopyOption.EXPAND_REFERENCES),
        file -> {
          List<String> found = targets(file, "/h/refs");
          assertEquals("/h", found.get(1));
          assertTrue(found.get(0).startsWith("/~obj_pointed_by_"), found.get(0));
          assertEquals(found.get(0), found.get(2));
          assertArrayEquals(new byte[] {5}, file.dataset(found.get(0)).readBytes(Selection.all()));
        });
  }
}
