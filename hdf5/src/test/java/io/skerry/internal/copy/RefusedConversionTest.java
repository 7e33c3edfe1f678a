package io.skerry.internal.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.CopyRun;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.SparsityConversion;
import io.skerry.SparsityConversion.Kind;
import io.skerry.StorageChange;
import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a dataset is copied unchanged if an optional conversion of it is not possible. */
class RefusedConversionTest {
  private static final Selection WRITTEN = Selection.at(2).extent(4);
  private static final byte[] VALUES = {9, 8, 5, 9};

  @TempDir private Path folder;

  private long counted;

  private StorageChange marking(Kind kind, byte... undefined) {
    return StorageChange.none()
        .redefining(
            new SparsityConversion(
                kind,
                Optional.of(Bytes.of(MemorySegment.ofArray(undefined))),
                elements -> counted += elements));
  }

  private static void datasets(H5File file) {
    DatasetSpec plain = DatasetSpec.of(Datatype.U8, Shape.of(20)).fillValue((byte) 5);
    file.createDataset("/contiguous", plain.contiguous()).write(WRITTEN, VALUES);
    file.createDataset("/compact", plain.compact()).write(WRITTEN, VALUES);
    file.createDataset("/dense", plain.chunked(7)).write(WRITTEN, VALUES);
    file.createDataset("/sparse", plain.sparse(7)).write(WRITTEN, VALUES);
  }

  private static void check(Dataset copy, Dataset source) {
    assertEquals(source.storage(), copy.storage(), copy.path());
    assertArrayEquals(new byte[] {5}, copy.fillValue(), copy.path());
    assertEquals(source.defined(Selection.all()), copy.defined(Selection.all()), copy.path());
    assertArrayEquals(
        source.readBytes(Selection.all()), copy.readBytes(Selection.all()), copy.path());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void datasets_that_have_the_other_storage_already_keep_elements_and_fill_value(Kind kind) {
    StorageChange change = marking(kind, (byte) 9).withFit(StorageChange.Fit.WHERE_POSSIBLE);
    Path in = new CopyRun(folder).made("in.h5", RefusedConversionTest::datasets);
    Path out = folder.resolve("out.h5");
    try (H5File source = H5File.open(in);
        H5File target = H5File.create(out)) {
      ObjectCopier.between(source, target).storing(_ -> change).copyAll();
    }
    CopyRun.checked(
        out,
        file -> {
          try (H5File source = H5File.open(in)) {
            switch (kind) {
              case DENSE_TO_SPARSE -> check(file.dataset("/sparse"), source.dataset("/sparse"));
              case SPARSE_TO_DENSE -> {
                for (String name : new String[] {"/contiguous", "/compact", "/dense"}) {
                  check(file.dataset(name), source.dataset(name));
                }
              }
            }
          }
        });
  }

  @Test
  void a_refused_conversion_counts_no_elements_and_does_not_use_its_value() {
    StorageChange change = marking(Kind.DENSE_TO_SPARSE, (byte) 9, (byte) 9);
    new CopyRun(folder)
        .between(
            RefusedConversionTest::datasets,
            (source, target) -> {
              ObjectCopier copier = ObjectCopier.between(source, target);
              assertThrows(
                  CollectiveException.class,
                  () -> copier.storing("/sparse", change).copy("/sparse", "/sparse"));
              copier
                  .storing("/sparse", change.withFit(StorageChange.Fit.WHERE_POSSIBLE))
                  .copy("/sparse", "/sparse");
              check(target.dataset("/sparse"), source.dataset("/sparse"));
            },
            file -> assertEquals(0, counted));
  }
}
