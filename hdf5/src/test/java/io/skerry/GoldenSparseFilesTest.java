package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests four small sparse files that were assembled by hand from selections and checksums of HDF5
 * 2.0.0. Checks their content, and that rewriting it gives equal chunk images and index records.
 */
class GoldenSparseFilesTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final int UNDEFINED = -1;

  @TempDir Path folder;

  /** A file, and the pieces of it that a write must reproduce. */
  private enum Golden {
    SINGLE("sparse_single", 0, List.of(new Piece(0xc8, 79))),
    SINGLE_DEFLATE("sparse_single_deflate", 0, List.of(new Piece(0x108, 58))),
    FIXED("sparse_fa", 0xdb, List.of(new Piece(0x128, 79), new Piece(0x177, 75))),
    FIXED_DEFLATE("sparse_fa_deflate", 0xfd, List.of(new Piece(0x190, 58), new Piece(0x1ca, 53)));

    private final String file;
    private final int dataBlock;
    private final List<Piece> chunks;

    Golden(String file, int dataBlock, List<Piece> chunks) {
      this.file = file;
      this.dataBlock = dataBlock;
      this.chunks = chunks;
    }

    boolean isFixed() {
      return name().startsWith("FIXED");
    }

    boolean isFiltered() {
      return name().endsWith("DEFLATE");
    }

    long[] defined() {
      return isFixed() ? new long[] {1, 2, 3, 10, 11} : new long[] {1, 2, 3};
    }

    int[] numbers() {
      return isFixed() ? new int[] {11, 22, 33, 44, 55} : new int[] {11, 22, 33};
    }

    int elements() {
      return isFixed() ? 12 : 5;
    }
  }

  /** A range of bytes of a file. */
  private record Piece(int address, int size) {
    byte[] of(byte[] file) {
      return Arrays.copyOfRange(file, address, address + size);
    }
  }

  private static byte[] bytes(Golden golden) throws IOException {
    try (InputStream in = GoldenSparseFilesTest.class.getResourceAsStream(golden.file + ".hex")) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      return HEX.parseHex(text.replaceAll("\\s", ""));
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_file_contains_the_elements_of_its_description(Golden golden) throws IOException {
    Path path = Files.write(folder.resolve("golden.h5"), bytes(golden));
    try (H5File file = H5File.open(path)) {
      Dataset sparse = file.dataset("/sparse");
      assertTrue(sparse.isSparse());
      assertEquals(Datatype.I32, sparse.datatype());
      assertArrayEquals(new long[] {golden.elements()}, sparse.shape().extent());
      assertEquals(List.of(5L), sparse.storage().chunk());
      Selection defined = sparse.defined(Selection.all());
      assertArrayEquals(golden.defined(), defined.toCoordinates(sparse.shape()));
      assertArrayEquals(golden.numbers(), sparse.readInts(defined));
      int[] whole = new int[golden.elements()];
      for (int i = 0; i < golden.numbers().length; i++) {
        whole[(int) golden.defined()[i]] = golden.numbers()[i];
      }
      assertArrayEquals(whole, sparse.readInts(Selection.all()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void writing_equal_elements_gives_equal_images_and_records(Golden golden) throws IOException {
    Path path = folder.resolve("written.h5");
    try (H5File file = H5File.create(path)) {
      DatasetSpec spec =
          DatasetSpec.of(Datatype.I32, Shape.of(golden.elements()))
              .sparse(5)
              .encoding(SelectionEncoding.V1);
      if (golden.isFiltered()) {
        // The files store the output of deflate even if it is larger, as with a mandatory filter.
        spec = spec.filters(Filters.deflate(6).withFlag(FilterSpec.Flag.MANDATORY));
      }
      Dataset sparse = file.createDataset("/sparse", spec);
      sparse.write(Selection.points(1, golden.defined()), golden.numbers());
    }
    byte[] expected = bytes(golden);
    byte[] actual = Files.readAllBytes(path);
    int[] found =
        golden.chunks.stream().mapToInt(piece -> find(actual, piece.of(expected))).toArray();
    if (golden.isFixed()) {
      compareRecords(golden, expected, actual, found);
    } else {
      assertTrue(find(actual, single(golden, found[0])) > 0);
    }
    System.out.println(golden.file + ": images at " + Arrays.toString(found) + ", records equal");
  }

  /**
   * Compares the header and the records of the fixed array. The records differ in their addresses
   * only.
   */
  private static void compareRecords(Golden golden, byte[] expected, byte[] actual, int[] found) {
    int elementSize = golden.isFiltered() ? 42 : 18;
    byte[] records =
        Arrays.copyOfRange(
            expected, golden.dataBlock + 14, golden.dataBlock + 14 + 3 * elementSize);
    ByteBuffer moved = ByteBuffer.wrap(records).order(ByteOrder.LITTLE_ENDIAN);
    moved.putLong(0, found[0]);
    moved.putLong(elementSize, UNDEFINED);
    moved.putLong(2 * elementSize, found[1]);
    int at = find(actual, records);
    assertEquals("FADB", new String(actual, at - 14, 4, StandardCharsets.US_ASCII));
    assertArrayEquals(
        Arrays.copyOfRange(expected, golden.dataBlock + 4, golden.dataBlock + 6),
        Arrays.copyOfRange(actual, at - 10, at - 8),
        "version and client of the data block");
    int header = find(actual, "FAHD".getBytes(StandardCharsets.US_ASCII));
    int golden0 = find(expected, "FAHD".getBytes(StandardCharsets.US_ASCII));
    assertEquals(
        HEX.formatHex(expected, golden0, golden0 + 16), HEX.formatHex(actual, header, header + 16));
  }

  /** Returns the layout message of the single chunk in vectors.txt with another address. */
  private static byte[] single(Golden golden, int address) {
    String message =
        golden.isFiltered()
            ? "0504000000020201050408020100013a0029000000000000004300000000000000"
                + "0c000000000000000000000000000000"
            : "0504000000000201050408020100014f004300000000000000";
    byte[] bytes = HEX.parseHex(message);
    return ByteBuffer.allocate(bytes.length + 8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(bytes)
        .putLong(address)
        .array();
  }

  /** Returns the position of bytes, which must occur exactly once. */
  private static int find(byte[] in, byte[] what) {
    int found = -1;
    for (int at = 0; at + what.length <= in.length; at++) {
      if (Arrays.equals(in, at, at + what.length, what, 0, what.length)) {
        assertEquals(-1, found, "twice: " + HEX.formatHex(what));
        found = at;
      }
    }
    assertTrue(found >= 0, "not found: " + HEX.formatHex(what));
    return found;
  }
}
