package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.StringType;
import io.skerry.exception.FormatException;
import io.skerry.jobs.Skerry;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests reads of virtual datasets with damaged mappings. Each rank gets an error with the file, the
 * address, the dataset and both values, and can still read the other datasets.
 */
class CraftedVirtualTest {
  /** The encoded form of an unlimited count or block. */
  private static final long U = -1;

  private static final byte[] MINUS_ONE = {-1, -1, -1, -1};
  private static final Selection ALL = Selection.all();
  private static final Selection ROWS = Selection.at(0, 0).extent(4, 3);

  /** The name of the source file of the mappings that are replaced. */
  private static final String REPLACED = "replaced.h5";

  @TempDir Path folder;

  private Path file = Path.of("");

  /**
   * A damaged block of mappings.
   *
   * @param what the damage
   * @param block the bytes of the block
   * @param message a part of the error message
   */
  record Damage(String what, byte[] block, String message) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static CraftedMappings zero() {
    return CraftedMappings.of(0, 1).name("rows.h5").name("/rows");
  }

  private static CraftedMappings one() {
    return CraftedMappings.of(1, 1);
  }

  private static Damage damage(String what, CraftedMappings block, String message) {
    return new Damage(what, block.bytes(), message);
  }

  private static byte[] wrongChecksum() {
    byte[] block = zero().all().all().bytes();
    block[block.length - 1] ^= 1;
    return block;
  }

  private static byte[] changedName() {
    byte[] block = zero().all().all().bytes();
    block[9] = 'R';
    return block;
  }

  static Stream<Damage> damages() {
    return Stream.of(
        new Damage("checksum", wrongChecksum(), "virtual mappings: checksum: expected=0x"),
        new Damage("changed name", changedName(), "virtual mappings: checksum: expected=0x"),
        new Damage(
            "no bytes", new byte[0], "virtual mappings: length: expected=at least 4 actual=0"),
        new Damage("three bytes", new byte[3], "length: expected=at least 4 actual=3"),
        new Damage("no entries", CraftedMappings.of(0, 1).cut(8), "virtual mappings: "),
        new Damage("no NUL", CraftedMappings.of(0, 1).name("rows.h5").cut(1), "unterminated text"),
        new Damage(
            "no selections", zero().bytes(), "bytes needed at offset 23: expected=4 actual=0"),
        new Damage("half a selection", zero().all().all().cut(5), "virtual mappings: "),
        damage(
            "version 2",
            CraftedMappings.of(2, 1).name("rows.h5").name("/rows").all().all(),
            "version: expected=0 or 1 actual=2"),
        damage(
            "reserved bit",
            one().flags(8).name("rows.h5").name("/rows").all().all(),
            "flags of an entry: expected=0 to 7, not both bit 0 and bit 2 actual=8"),
        damage(
            "all bits",
            one().flags(255).index(0).index(0).all().all(),
            "flags of an entry: expected=0 to 7, not both bit 0 and bit 2 actual=255"),
        damage(
            "shared name of the same file",
            one().flags(5).index(0).name("/rows").all().all(),
            "flags of an entry: expected=0 to 7, not both bit 0 and bit 2 actual=5"),
        damage(
            "index of the entry itself",
            one().flags(1).index(0).name("/rows").all().all(),
            "entry of a shared name: expected=below 0 actual=0"),
        damage(
            "index of a later entry",
            CraftedMappings.of(1, 2)
                .flags(0)
                .name("rows.h5")
                .name("/rows")
                .rows(0, 4)
                .rows(0, 4)
                .flags(2)
                .name("rows.h5")
                .index(7)
                .rows(0, 4)
                .rows(0, 4),
            "entry of a shared name: expected=below 1 actual=7"),
        damage(
            "index of 2^63 and more",
            one().flags(2).name("rows.h5").index(-1).all().all(),
            "entry of a shared name: expected="),
        damage(
            "entries of 10 GB",
            CraftedMappings.of(0, 10L << 30).name("rows.h5").name("/rows").all().all(),
            "number of entries: expected=at most "),
        damage(
            "points of 10 GB",
            zero().points(2, 10L << 26, 0, 0).points(2, 1, 0, 0),
            "entries of the selection list: expected=at most "),
        damage(
            "blocks of 10 GB",
            zero().blocks(2, 10L << 25, 0, 0, 0, 0).blocks(2, 1, 0, 0, 0, 0),
            "entries of the selection list: expected=at most "),
        damage(
            "source of 10 GB",
            zero().pattern(0, 1, 10L << 30, 1, 0, 1, 1, 3).pattern(0, 1, 4, 1, 0, 1, 1, 3),
            "expected="),
        damage(
            "virtual selection of 10 GB",
            zero().pattern(0, 1, 4, 1, 0, 1, 1, 3).pattern(0, 1, 1, 10L << 30, 0, 1, 1, 3),
            "expected="),
        damage(
            "fewer elements in the source",
            zero().rows(1, 3).rows(0, 4),
            "mapping to rows.h5:/rows: elements of the source selection: expected=12 actual=9"),
        damage(
            "more elements in the source",
            zero().rows(0, 4).rows(1, 3),
            "elements of the source selection: expected=9 actual=12"),
        damage(
            "rank of the virtual selection",
            zero().rows(0, 4).pattern(0, 1, 1, 12),
            "mapping to rows.h5:/rows: rank of the virtual selection: expected=2 actual=1"),
        damage(
            "rank of the source selection",
            zero().pattern(0, 1, 1, 12).rows(0, 4),
            "mapping to rows.h5:/rows: rank of the source selection: expected=2 actual=1"),
        damage(
            "source of another rank",
            CraftedMappings.of(0, 1).name("rows.h5").name("/line").rows(0, 4).rows(0, 4),
            "mapping to rows.h5:/line: rank of the source selection: expected=1 actual=2"),
        damage(
            "beyond the end of the source",
            zero().rows(1, 4).rows(0, 4),
            "end of the source selection in dimension 0: expected=at most 4 actual=5"),
        damage(
            "beyond the end of the virtual dataset",
            zero().rows(0, 4).rows(1, 4),
            "end of the virtual selection in dimension 0: expected=at most 4"),
        damage(
            "blocks beyond the end of the virtual dataset",
            zero().blocks(2, 2, 0, 0, 0, 2, 2, 0, 2, 1).blocks(2, 2, 0, 0, 0, 2, 5, 0, 5, 1),
            "end of the virtual selection in dimension 0: expected=at most 4 actual=6"),
        damage(
            "one source per block of a limited selection",
            CraftedMappings.of(0, 1).name("rows%b.h5").name("/rows").rows(0, 4).rows(0, 4),
            "expected="),
        damage(
            "one source per block of unlimited size",
            CraftedMappings.of(0, 1)
                .name("rows%b.h5")
                .name("/rows")
                .rows(0, 4)
                .pattern(0, 1, 1, U, 0, 1, 1, 3),
            "expected="),
        damage(
            "one unlimited source per block",
            CraftedMappings.of(0, 1)
                .name("rows%b.h5")
                .name("/rows")
                .pattern(0, 1, U, 1, 0, 1, 1, 3)
                .pattern(0, 1, U, 1, 0, 1, 1, 3),
            "expected="),
        damage(
            "unlimited source of a limited selection",
            zero().pattern(0, 1, U, 1, 0, 1, 1, 3).rows(0, 4),
            "expected="),
        damage(
            "limited source of an unlimited selection",
            zero().rows(0, 4).pattern(0, 1, U, 1, 0, 1, 1, 3),
            "expected="),
        damage(
            "unlimited in two dimensions",
            zero().pattern(0, 1, U, 1, 0, 1, U, 1).pattern(0, 1, U, 1, 0, 1, 1, 3),
            "unlimited dimensions: expected=at most 1 actual=2"),
        damage(
            "overlapping blocks",
            zero().pattern(0, 1, 2, 2, 0, 1, 1, 3).pattern(0, 1, 4, 1, 0, 1, 1, 3),
            "stride of dimension 0: expected=at least the block 2 actual=1"),
        damage(
            "stride of zero",
            zero().pattern(0, 0, 1, 4, 0, 1, 1, 3).pattern(0, 1, 4, 1, 0, 1, 1, 3),
            "stride of dimension 0: expected="));
  }

  @BeforeEach
  void makes_a_file_with_sound_datasets() {
    try (H5File rows = H5File.create(folder.resolve("rows.h5"))) {
      int[] values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
      Shape growing = Shape.of(new long[] {4, 3}, new long[] {Shape.UNLIMITED, 3});
      rows.createDataset("rows", DatasetSpec.of(Datatype.I32, growing).chunked(2, 3))
          .write(ALL, values);
      rows.createDataset(
              "sparse",
              DatasetSpec.of(Datatype.I32, Shape.of(4, 3)).sparse(2, 2).fillValue(MINUS_ONE))
          .write(Selection.at(1, 0).extent(3, 3), Arrays.copyOfRange(values, 3, 12));
      rows.createDataset("line", DatasetSpec.of(Datatype.I32, Shape.of(12))).write(ALL, values);
      rows.createDataset("texts", DatasetSpec.of(StringType.of(8), Shape.of(4, 3)))
          .write(ALL, "a b c d e f g h i j k l".split(" ", -1));
    }
    file = folder.resolve("virtual.h5");
    try (H5File virtual = H5File.create(file)) {
      virtual
          .createDataset("plain", DatasetSpec.of(Datatype.I32, Shape.of(3)))
          .write(ALL, new int[] {7, 8, 9});
      create(virtual, "sound", "rows.h5");
      create(virtual, "damaged", REPLACED);
    }
  }

  private static void create(H5File file, String name, String source) {
    Shape growing = Shape.of(new long[] {4, 3}, new long[] {Shape.UNLIMITED, 3});
    VirtualLayout layout =
        VirtualLayout.builder().map(ROWS, VirtualSource.of(source, "/rows").select(ROWS)).build();
    var unused = file.createDataset(name, DatasetSpec.of(Datatype.I32, growing).virtual(layout));
  }

  @ParameterizedTest
  @MethodSource("damages")
  void damaged_mappings_are_refused_on_each_rank_and_the_other_datasets_are_read(Damage damage) {
    CraftedFile crafted = CraftedFile.of(file);
    int object = crafted.only(REPLACED) - 9;
    long collection = crafted.heapCollection(object);
    crafted.replaceLastHeapObject(object, damage.block).store();
    for (int ranks : new int[] {1, 2}) {
      List<Boolean> unused =
          LocalRanks.call(
              ranks,
              world -> {
                try (H5File opened = H5File.open(file, world)) {
                  refused(opened, damage.message, collection);
                  otherDatasetsAreRead(opened);
                }
                return true;
              });
    }
  }

  private void refused(H5File opened, String text, long address) {
    FormatException e = CraftedFile.refused(() -> opened.dataset("/damaged").readInts(ALL), text);
    String message = String.valueOf(e.getMessage());
    assertEquals("/damaged", e.object().orElse("none"), message);
    assertEquals(file.toString(), e.file().orElse("none"), message);
    assertEquals(OptionalLong.of(address), e.address(), message);
    assertTrue(message.contains(" expected=") && message.contains(" actual="), message);
  }

  @ParameterizedTest
  @CsvSource({
    "size of an object, global heap collection",
    "size of the collection, global heap collection"
  })
  void damaged_heap_collections_are_refused_on_each_rank(String field, String message) {
    CraftedFile crafted = CraftedFile.of(file);
    int object = crafted.only(REPLACED) - 9;
    int collection = crafted.heapCollection(object);
    crafted.u64(field.equals("size of an object") ? object - 8 : collection + 8, 10L << 30).store();
    for (int ranks : new int[] {1, 2}) {
      List<Boolean> unused =
          LocalRanks.call(
              ranks,
              world -> {
                try (H5File opened = H5File.open(file, world)) {
                  refused(opened, message, collection);
                  assertArrayEquals(new int[] {7, 8, 9}, opened.dataset("/plain").readInts(ALL));
                }
                return true;
              });
    }
  }

  @Test
  void commands_show_the_other_datasets_and_the_damage() {
    CraftedFile crafted = CraftedFile.of(file);
    byte[] block = one().flags(8).name("rows.h5").name("/rows").all().all().bytes();
    crafted.replaceLastHeapObject(crafted.only(REPLACED) - 9, block).store();
    String damage = "flags of an entry: expected=0 to 7, not both bit 0 and bit 2 actual=8";
    for (String command : List.of("ls", "stat", "digest", "verify")) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
      int code = Skerry.run(Map.of(), printed, command, file.toString());
      String text = out.toString(StandardCharsets.UTF_8);
      assertEquals(command.equals("ls") ? 0 : 1, code, text);
      assertTrue(text.contains("damaged") && text.contains(damage), text);
      assertTrue(command.equals("verify") || text.contains("plain"), text);
      assertTrue(command.equals("verify") || text.contains("sound"), text);
    }
  }

  /** HDF5 does not create such mappings. */
  @ParameterizedTest
  @ValueSource(strings = {"/rows", "/sparse"})
  void points_of_a_source_keep_their_order_in_reads_of_a_part(String source) {
    CraftedFile crafted = CraftedFile.of(file);
    byte[] block =
        CraftedMappings.of(0, 1)
            .name("rows.h5")
            .name(source)
            .points(2, 6, 3, 2, 0, 0, 2, 1, 1, 1, 3, 0, 0, 0)
            .pattern(1, 1, 1, 2, 0, 1, 1, 3)
            .bytes();
    crafted.replaceLastHeapObject(crafted.only(REPLACED) - 9, block).store();
    List<Boolean> unused =
        LocalRanks.call(
            2,
            world -> {
              try (H5File opened = H5File.open(file, world)) {
                Dataset points = opened.dataset("/damaged");
                int last = source.equals("/rows") ? 0 : -1;
                int[] values = {0, 0, 0, 11, last, 7, 4, 9, last, 0, 0, 0};
                assertArrayEquals(values, points.readInts(ALL));
                assertArrayEquals(
                    new int[] {7, last},
                    points.readInts(Selection.at(1, 2).stride(1, 1).count(2, 1)));
                assertArrayEquals(
                    new int[] {4, 9}, points.readInts(Selection.at(2, 0).extent(1, 2)));
                Selection defined = points.defined(Selection.at(2, 0).extent(1, 3));
                assertEquals(source.equals("/rows") ? 3 : 2, defined.count(points.shape()));
              }
              return true;
            });
  }

  private static void otherDatasetsAreRead(H5File opened) {
    assertArrayEquals(new int[] {7, 8, 9}, opened.dataset("/plain").readInts(ALL));
    assertEquals(11, opened.dataset("/sound").readInts(ALL)[11]);
  }

  @Test
  void a_source_whose_type_cannot_be_converted_is_refused_on_each_rank() {
    CraftedFile crafted = CraftedFile.of(file);
    byte[] block = CraftedMappings.of(0, 1).name("rows.h5").name("/texts").all().all().bytes();
    crafted.replaceLastHeapObject(crafted.only(REPLACED) - 9, block).store();
    for (int ranks : new int[] {1, 2}) {
      List<Boolean> unused = LocalRanks.call(ranks, this::refusedForItsType);
    }
  }

  private boolean refusedForItsType(Communicator world) {
    try (H5File opened = H5File.open(file, world)) {
      Dataset damaged = opened.dataset("/damaged");
      var e = assertThrows(CollectiveException.class, () -> damaged.readInts(ALL));
      String message = String.valueOf(e.getMessage());
      for (String part :
          List.of(
              "conversion from string[8] to i32",
              "object=/texts",
              "file=" + folder.resolve("rows.h5"),
              "object=/damaged",
              "file=" + file)) {
        assertTrue(message.contains(part), message);
      }
      otherDatasetsAreRead(opened);
    }
    return true;
  }
}
