package io.skerry.jobs;

import static io.skerry.jobs.InProcess.good;
import static io.skerry.jobs.InProcess.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.CharacterSet;
import io.skerry.chunk.type.Datatype;
import io.skerry.chunk.type.Endian;
import io.skerry.chunk.type.VariableLength;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code skerry export} and {@code skerry import} do with odd and hostile files. */
class InterchangeFaultsTest {
  @TempDir private Path folder;

  @Test
  void every_nan_stands_for_no_element_if_one_does() {
    Path in = folder.resolve("in.h5");
    double[] values = {
      1,
      Double.longBitsToDouble(0x7ff8000000000000L),
      Double.longBitsToDouble(0xfff8000000000000L),
      Double.longBitsToDouble(0x7ff0000000000001L),
      Double.POSITIVE_INFINITY
    };
    for (Datatype type : List.of(Datatype.F64, Datatype.F64.withOrder(Endian.BIG))) {
      try (H5File file = H5File.create(in)) {
        file.createDataset("/d", DatasetSpec.of(type, Shape.of(5))).write(Selection.all(), values);
      }
      Path out = folder.resolve(type + ".h5");
      good("import", in + ":/d", out + ":/d", "--from", "dense", "--undefined", "nan");
      try (H5File file = H5File.open(out)) {
        Dataset sparse = file.dataset("/d");
        Selection defined = sparse.defined(Selection.all());
        assertArrayEquals(new long[] {0, 4}, defined.toCoordinates(sparse.shape()));
      }
    }
  }
}
