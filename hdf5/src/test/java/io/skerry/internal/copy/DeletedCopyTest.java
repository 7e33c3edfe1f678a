package io.skerry.internal.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests copies whose watcher deletes a dataset before it is copied. */
class DeletedCopyTest {
  private static final int BYTES = 1 << 12;

  @TempDir private Path folder;

  private static byte[] values(int value) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static void store(H5File file, String name, DatasetSpec spec, int value) {
    file.createDataset(name, spec).write(Selection.all(), values(value));
  }

  private void refused(UnaryOperator<DatasetSpec> storage) {
    DatasetSpec spec = storage.apply(DatasetSpec.of(Datatype.U8, Shape.of(BYTES)));
    try (H5File source = H5File.create(folder.resolve("in.h5"));
        H5File target = H5File.create(folder.resolve("out.h5"))) {
      store(source, "/g/a", spec, 1);
      store(source, "/g/b", spec, 2);
      AtomicBoolean deleted = new AtomicBoolean();
      ObjectCopier copier =
          ObjectCopier.between(source, target)
              .watchedBy(_ -> {
                if (!deleted.getAndSet(true)) {
                  source.unlink("/g/b");
                  source.flush();
                  store(source, "/c", spec, 3);
                  source.flush();
                }
              });
      RuntimeException failure =
          assertThrows(RuntimeException.class, () -> copier.copy("/g", "/g"));
      assertTrue(failure.toString().contains("the dataset was deleted"), failure.toString());
      assertEquals(List.of(), target.root().links());
      assertEquals(1, source.dataset("/g/a").readBytes(Selection.all())[0]);
    }
  }

  @Test
  void a_contiguous_dataset_is_refused() {
    refused(UnaryOperator.identity());
  }

  @Test
  void a_chunked_dataset_is_refused() {
    refused(spec -> spec.chunked(BYTES / 4));
  }

  @Test
  void a_compact_dataset_is_refused() {
    refused(DatasetSpec::compact);
  }
}
