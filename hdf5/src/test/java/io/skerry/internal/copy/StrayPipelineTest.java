package io.skerry.internal.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.skerry.CopyRun;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.StorageChange;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.format.Bytes;
import io.skerry.format.FormatBounds;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.UnknownMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.Resolver;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that section pipelines of datasets without structured chunks are ignored. */
class StrayPipelineTest {
  private static final int[] VALUES = {1, 2, 3, 4};

  @TempDir private Path folder;

  /** Adds a message with section pipelines, which HDF5 2.0 does not have, to a dataset. */
  private static void add(Dataset dataset, int filteredSections) {
    byte[] body = {1, (byte) filteredSections, 0, 0, 0, 0, 0, 0};
    Message message =
        new UnknownMessage(SectionPipelineMessage.TYPE, Bytes.of(MemorySegment.ofArray(body)));
    NativeFile file = (NativeFile) Connectors.stored(dataset.file());
    file.tree()
        .change(
            Resolver.hardAddress(file, dataset.path()),
            messages ->
                Stream.concat(messages.stream(), Stream.of(HeaderMessage.of(message))).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9})
  void a_dense_dataset_is_copied_whatever_its_section_pipeline_contains(int filteredSections)
      throws IOException {
    Path in = folder.resolve("in.h5");
    FileOptions earliest = FileOptions.standard().withBounds(FormatBounds.EARLIEST);
    try (H5File file = H5File.create(in, Communicator.self(), earliest)) {
      Dataset dataset =
          file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(4)).chunked(2));
      dataset.write(Selection.all(), VALUES);
      add(dataset, filteredSections);
    }
    for (StorageChange change :
        List.of(
            StorageChange.none(),
            StorageChange.none().withChunk(List.of(4L)),
            StorageChange.none().withFilters(List.of(Filters.deflate(6))))) {
      Path out = folder.resolve("out.h5");
      Files.deleteIfExists(out);
      try (H5File source = H5File.open(in);
          H5File target = H5File.create(out)) {
        ObjectCopier.between(source, target).storing("/d", change).copy("/d", "/d");
      }
      CopyRun.checked(
          out, file -> assertArrayEquals(VALUES, file.dataset("/d").readInts(Selection.all())));
    }
  }
}
