package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests verification of, and writes to, a file in which two chunks have the same address. */
class SharedChunkAddressTest {
  private static final int CHUNK = 512;

  /** The signatures of index blocks that contain chunk addresses and a checksum. */
  private static final Set<String> BLOCKS = Set.of("FADB", "EAIB", "EADB", "BTLF");

  @TempDir Path folder;

  /** The kinds of chunk indexes that store the address of each chunk. */
  private enum Index {
    BTREE_1(FormatBounds.EARLIEST, Shape.of(2 * CHUNK)),
    FIXED_ARRAY(FormatBounds.V110, Shape.of(2 * CHUNK)),
    EXTENSIBLE_ARRAY(FormatBounds.V110, Shape.of(2 * CHUNK).unlimited(0)),
    BTREE_2(FormatBounds.V110, Shape.of(2 * CHUNK, 1).unlimited(0).unlimited(1));

    private final FormatBounds bounds;
    private final Shape shape;

    Index(FormatBounds bounds, Shape shape) {
      this.bounds = bounds;
      this.shape = shape;
    }

    long[] chunk() {
      return shape.rank() == 1 ? new long[] {CHUNK} : new long[] {CHUNK, 1};
    }

    /** Returns the second half of the first chunk, and the first half of the second. */
    Selection middle() {
      return shape.rank() == 1
          ? Selection.at(CHUNK / 2).extent(CHUNK)
          : Selection.at(CHUNK / 2, 0).extent(CHUNK, 1);
    }
  }

  @ParameterizedTest
  @EnumSource(Index.class)
  void verification_reports_two_chunks_at_one_address(Index index) throws IOException {
    Path path = crafted("verified.h5", index);
    List<String> found = new ArrayList<>();
    SpaceReport unused = Verification.of(path, finding -> found.add(finding.toString()));
    assertTrue(
        found.stream().anyMatch(text -> text.contains("overlap") || text.contains("same address")),
        found.toString());
  }

  @ParameterizedTest
  @EnumSource(Index.class)
  void a_write_in_place_to_two_chunks_at_one_address_is_refused(Index index) throws IOException {
    for (int ranks : new int[] {1, 3}) {
      Path path = crafted(ranks + ".h5", index);
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file =
                H5File.openForWriting(
                    path,
                    world,
                    FileOptions.standard().withOverwriting(FileOptions.Overwriting.IN_PLACE))) {
              boolean writes = world.rank() == 0;
              CollectiveException e =
                  assertThrows(
                      CollectiveException.class,
                      () ->
                          file.dataset("/data")
                              .write(
                                  writes ? index.middle() : Selection.none(),
                                  new long[writes ? CHUNK : 0]));
              assertTrue(e.getMessage().contains("same address"), e.getMessage());
            }
          });
    }
  }

  /** Creates a file whose chunk index gives the second chunk the address of the first. */
  private Path crafted(String name, Index index) throws IOException {
    Path path = folder.resolve(name);
    try (H5File file =
        H5File.create(path, Communicator.self(), FileOptions.standard().withBounds(index.bounds))) {
      long[] values = new long[2 * CHUNK];
      Arrays.fill(values, 0, CHUNK, 0x1111111111111111L);
      Arrays.fill(values, CHUNK, 2 * CHUNK, 0x2222222222222222L);
      file.createDataset("/data", DatasetSpec.of(Datatype.I64, index.shape).chunked(index.chunk()))
          .write(Selection.all(), values);
    }
    byte[] bytes = Files.readAllBytes(path);
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long first = find(in, 0x1111111111111111L).getFirst();
    long second = find(in, 0x2222222222222222L).getFirst();
    List<Integer> places = find(in, second);
    assertEquals(1, places.size());
    int place = places.getFirst();
    if (index == Index.BTREE_1) {
      in.putLong(place, first);
    } else {
      int start = blockWith(bytes, place);
      int end = place + Long.BYTES;
      while (in.getInt(end) != checksum(bytes, start, end)) {
        end++;
      }
      in.putLong(place, first);
      in.putInt(end, checksum(bytes, start, end));
    }
    Files.write(path, bytes);
    return path;
  }

  /** Returns the address of the index block that contains a byte. */
  private static int blockWith(byte[] bytes, int place) {
    int at = place;
    while (!BLOCKS.contains(new String(bytes, at, 4, StandardCharsets.ISO_8859_1))) {
      at--;
    }
    return at;
  }

  private static int checksum(byte[] bytes, int start, int end) {
    return Lookup3.checksum(MemorySegment.ofArray(bytes).asSlice(start, end - start));
  }

  private static List<Integer> find(ByteBuffer in, long value) {
    List<Integer> found = new ArrayList<>();
    for (int at = 0; at + Long.BYTES <= in.capacity(); at++) {
      if (in.getLong(at) == value) {
        found.add(at);
      }
    }
    return found;
  }
}
