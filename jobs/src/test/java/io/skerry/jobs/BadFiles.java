package io.skerry.jobs;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.StringType;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Creates input files for detector jobs: a valid one, and others that cannot be read. */
public final class BadFiles {
  static final int FRAMES = 9;
  private static final int ROWS = 32;
  private static final int COLUMNS = 40;

  private BadFiles() {}

  /** Creates all files in a folder: good, corrupt, truncated, stub, text and nothing. */
  public static void make(Path folder) throws IOException {
    Path good = folder.resolve("good.h5");
    try (H5File file = H5File.create(good)) {
      Dataset frames =
          file.createDataset(
              "/x/frames",
              DatasetSpec.of(Datatype.U16, Shape.of(FRAMES, ROWS, COLUMNS))
                  .chunked(1, ROWS, COLUMNS)
                  .filters(Filters.deflate(6)));
      short[] pixels = new short[FRAMES * ROWS * COLUMNS];
      Random random = new Random(3);
      for (int i = 0; i < pixels.length; i++) {
        pixels[i] = (short) random.nextInt(1000);
      }
      frames.write(Selection.all(), pixels);
      Shape small = Shape.of(3, 4, 5);
      file.createDataset("/x/two", DatasetSpec.of(Datatype.U16, Shape.of(4, 5)).chunked(4, 5));
      file.createDataset("/x/string", DatasetSpec.of(StringType.of(5), small).chunked(3, 4, 5));
      file.createDataset("/x/compound", DatasetSpec.of(pair(), small).chunked(3, 4, 5));
      Shape none = Shape.of(0, 4, 5).unlimited(0);
      file.createDataset("/x/empty", DatasetSpec.of(Datatype.U16, none).chunked(3, 4, 5));
      Shape huge = Shape.of(2, 70_000, 70_000);
      file.createDataset("/x/huge", DatasetSpec.of(Datatype.U16, huge).chunked(1, 1000, 1000));
      file.createSoftLink("/x/circle", "/x/circle");
      file.createExternalLink("/x/elsewhere", "nowhere.h5", "/frames");
    }
    byte[] bytes = Files.readAllBytes(good);
    Files.write(folder.resolve("truncated.h5"), Arrays.copyOf(bytes, bytes.length / 2));
    Files.write(folder.resolve("stub.h5"), Arrays.copyOf(bytes, 20));
    Files.writeString(folder.resolve("text.h5"), "frames, but in words\n".repeat(100));
    Files.write(folder.resolve("nothing.h5"), new byte[0]);
    Files.write(folder.resolve("corrupt.h5"), corrupted(bytes));
  }

  private static Compound pair() {
    return new Compound(
        12,
        List.of(
            new Compound.Member("a", 0, Datatype.I32), new Compound.Member("b", 4, Datatype.F64)));
  }

  /** Returns a copy of the file with inverted bytes in the middle of the fifth compressed chunk. */
  private static byte[] corrupted(byte[] file) {
    byte[] bytes = file.clone();
    int found = 0;
    for (int at = 0; at < bytes.length - 2; at++) {
      if (bytes[at] == 0x78 && inflatedSize(file, at) == 2 * ROWS * COLUMNS && ++found == 5) {
        for (int i = at + 100; i < at + 160; i++) {
          bytes[i] ^= (byte) 0xff;
        }
        return bytes;
      }
    }
    throw new IllegalStateException("fewer chunks than expected: " + found);
  }

  private static int inflatedSize(byte[] bytes, int at) {
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(bytes, at, bytes.length - at);
      int size = inflater.inflate(new byte[4 * ROWS * COLUMNS]);
      return inflater.finished() ? size : -1;
    } catch (DataFormatException e) {
      return -1;
    }
  }
}
