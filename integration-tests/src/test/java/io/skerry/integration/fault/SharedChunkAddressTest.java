package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes to a file in which two chunks of a dataset have the same address. */
class SharedChunkAddressTest {
  private static final int CHUNK = 512;

  @TempDir Path folder;

  @Test
  void a_write_in_place_to_two_chunks_at_one_address_is_refused() throws IOException {
    for (int ranks : new int[] {1, 3}) {
      Path path = crafted(ranks + ".h5");
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
                                  writes ? Selection.at(CHUNK / 2).extent(CHUNK) : Selection.none(),
                                  new long[writes ? CHUNK : 0]));
              assertTrue(e.getMessage().contains("same address"), e.getMessage());
            }
          });
    }
  }

  /** Returns a file in whose index the second chunk has the address of the first. */
  private Path crafted(String name) throws IOException {
    Path path = folder.resolve(name);
    try (H5File file =
        H5File.create(
            path, Communicator.self(), FileOptions.standard().withBounds(FormatBounds.EARLIEST))) {
      long[] values = new long[2 * CHUNK];
      Arrays.fill(values, 0, CHUNK, 0x1111111111111111L);
      Arrays.fill(values, CHUNK, 2 * CHUNK, 0x2222222222222222L);
      file.createDataset("/data", DatasetSpec.of(Datatype.I64, Shape.of(2 * CHUNK)).chunked(CHUNK))
          .write(Selection.all(), values);
    }
    byte[] bytes = Files.readAllBytes(path);
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long first = find(in, 0x1111111111111111L).getFirst();
    long second = find(in, 0x2222222222222222L).getFirst();
    List<Integer> places = find(in, second);
    assertEquals(1, places.size());
    in.putLong(places.getFirst(), first);
    Files.write(path, bytes);
    return path;
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
