package io.skerry.internal.dataset.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.DatasetSpec;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.NativeFileOpener;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests layouts that only a damaged object header contains. */
class ChunkFormatReaderTest {
  @TempDir Path folder;

  /** Reads the chunk format of a dataset of 8-bit integers with the given layout. */
  private FormatException refusal(ChunkedLayout layout) {
    try (NativeFile file =
        NativeFileOpener.open(
            folder.resolve("sparse.h5"),
            FileAccess.CREATE,
            Communicator.self(),
            FileOptions.standard())) {
      NativeDataset dataset =
          file.createDataset("/d", DatasetSpec.of(Datatype.U8, Shape.of(8)).sparse(4));
      ChunkFormatReader reader =
          new ChunkFormatReader(
              file, ObjectPath.of("/d"), dataset.header(), SelectionEncoding.SMALLEST);
      return assertThrows(FormatException.class, () -> reader.read(layout, Datatype.U8));
    }
  }

  @Test
  void a_section_for_variable_length_content_needs_a_type_with_such_content() {
    FormatException refused =
        refusal(ChunkedLayout.sparseVariable(Shape.of(8), Shape.of(4), 1, Filtering.UNFILTERED));
    assertEquals("datatype of chunks with three sections", refused.what());
  }

  @Test
  void a_structured_chunk_of_4_gib_is_refused_as_damage() {
    long side = 1L << 16;
    FormatException refused =
        refusal(
            ChunkedLayout.sparse(
                Shape.of(side, side), Shape.of(side, side), 1, Filtering.UNFILTERED));
    assertEquals("bytes of a structured chunk", refused.what());
  }
}
