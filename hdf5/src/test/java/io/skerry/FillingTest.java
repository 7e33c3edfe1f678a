package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.format.FormatBounds;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.file.NativeFile;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the definition of unwritten elements in the object header. */
class FillingTest {
  @TempDir Path folder;

  private static final DatasetSpec PLAIN =
      DatasetSpec.of(Datatype.I32, Shape.of(6)).chunked(4).filters(Filters.deflate(1));

  private static FillValueMessage message(H5File file, String path) {
    return ((NativeDataset) ((NativeFile) Connectors.stored(file)).object(path))
        .header()
        .require(FillValueMessage.class);
  }

  @ParameterizedTest
  @EnumSource
  void the_header_contains_the_requested_filling_in_every_form(FormatBounds bounds) {
    Path path = folder.resolve("filling.h5");
    FileOptions options = FileOptions.standard().withBounds(bounds);
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      Dataset never =
          file.createDataset(
              "/never",
              PLAIN
                  .fillValue((byte) 7, (byte) 0, (byte) 0, (byte) 0)
                  .filling(DatasetSpec.Filling.NEVER));
      Dataset undefined =
          file.createDataset("/undefined", PLAIN.filling(DatasetSpec.Filling.UNDEFINED));
      never.write(Selection.at(1), new int[] {1});
      undefined.write(Selection.at(1), new int[] {1});
    }
    try (H5File file = H5File.open(path)) {
      FillValueMessage never = message(file, "/never");
      assertEquals(FillValueMessage.Writing.NEVER, never.writing());
      assertEquals(FillValueMessage.State.USER, never.state());
      assertEquals(FillValueMessage.State.UNDEFINED, message(file, "/undefined").state());
      assertArrayEquals(
          new int[] {7, 1, 7, 7, 7, 7}, file.dataset("/never").readInts(Selection.all()));
      assertArrayEquals(
          new int[] {0, 1, 0, 0, 0, 0}, file.dataset("/undefined").readInts(Selection.all()));
    }
  }

  @Test
  void a_sparse_dataset_stays_sparse_without_a_fill_value() {
    Path path = folder.resolve("sparse.h5");
    try (H5File file = H5File.create(path)) {
      for (DatasetSpec.Filling filling : DatasetSpec.Filling.values()) {
        file.createDataset(
                "/" + filling, DatasetSpec.of(Datatype.I32, Shape.of(6)).sparse(4).filling(filling))
            .write(Selection.at(1), new int[] {1});
      }
    }
    try (H5File file = H5File.open(path)) {
      for (DatasetSpec.Filling filling : DatasetSpec.Filling.values()) {
        Dataset dataset = file.dataset("/" + filling);
        assertEquals(1, dataset.defined(Selection.all()).count(dataset.shape()), filling.name());
      }
    }
  }

  @Test
  void a_copy_has_the_same_filling() {
    Path path = folder.resolve("copied.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/never", PLAIN.filling(DatasetSpec.Filling.NEVER));
      file.createDataset("/undefined", PLAIN.filling(DatasetSpec.Filling.UNDEFINED));
      file.flush();
      file.copy("/never", file.root(), "never2");
      file.copy("/undefined", file.root(), "undefined2");
    }
    try (H5File file = H5File.open(path)) {
      assertEquals(message(file, "/never"), message(file, "/never2"));
      assertEquals(message(file, "/undefined"), message(file, "/undefined2"));
    }
  }

  @Test
  void contradictory_specifications_are_refused() {
    DatasetSpec filled = PLAIN.fillValue(new byte[4]);
    assertThrows(
        IllegalArgumentException.class, () -> filled.filling(DatasetSpec.Filling.UNDEFINED));
    DatasetSpec texts =
        DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(6)).chunked(4);
    for (DatasetSpec.Filling filling :
        new DatasetSpec.Filling[] {DatasetSpec.Filling.NEVER, DatasetSpec.Filling.UNDEFINED}) {
      assertThrows(IllegalArgumentException.class, () -> texts.filling(filling));
      assertThrows(IllegalArgumentException.class, () -> texts.structured(4).filling(filling));
    }
  }
}
