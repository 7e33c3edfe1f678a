package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.ChunkInfo;
import io.skerry.ChunkTable;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.ChunkImage;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Expectations;
import io.skerry.testkit.oracle.Oracle;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares chunk information and chunk images with those of h5py, in both directions. */
class DirectChunksForOthersTest {
  private static final List<Oracle> H5PY = Oracle.h5py();

  @TempDir Path folder;

  private List<String> run(Oracle h5py, Object... arguments) {
    return h5py.script(folder, "direct_chunks.py", arguments)
        .expectSuccess()
        .out()
        .lines()
        .toList();
  }

  @Test
  void h5py_and_skerry_report_the_same_chunks_in_files_of_h5py() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    for (Oracle h5py : H5PY) {
      Path file = folder.resolve(h5py.hdf5() + ".h5");
      run(h5py, "make", file);
      for (String bound : List.of("earliest", "latest")) {
        Path made = Path.of(file + "." + bound);
        List<String> told = run(h5py, "list", made);
        assertTrue(told.size() > 100, "lines: " + told.size());
        try (H5File opened = H5File.open(made)) {
          compare(told, opened, h5py);
        }
        rewrite(made);
        List<String> again = run(h5py, "list", made);
        assertEquals(bytesOf(told), bytesOf(again));
        try (H5File opened = H5File.open(made)) {
          compare(again, opened, h5py);
        }
      }
    }
  }

  /** Rewrites every chunk with its own image. */
  private static void rewrite(Path path) {
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.openForWriting(path, world)) {
            for (String name : List.of("fixed_gzip", "both_gzip", "rows", "single", "implicit")) {
              Dataset dataset = file.dataset("/" + name);
              ChunkTable chunks = dataset.chunks();
              Map<List<Long>, ChunkImage> mine = new HashMap<>();
              long[] number = {0};
              chunks.forEach(info -> {
                if (number[0]++ % world.size() == world.rank()) {
                  mine.put(info.offset(), chunks.image(array(info.offset())).orElseThrow());
                }
              });
              dataset.writeChunks(mine);
            }
          }
        });
  }

  private static long[] array(List<Long> coordinates) {
    return coordinates.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns the lines without the addresses. */
  private static List<String> bytesOf(List<String> lines) {
    return lines.stream().map(line -> line.replaceFirst("(,\\d+\t)\\d+\t", "$1")).toList();
  }

  private static void compare(List<String> told, H5File file, Oracle h5py) {
    String name = "";
    int number = 0;
    for (String line : told) {
      String[] fields = line.split("\t");
      Dataset dataset = file.dataset("/" + fields[0]);
      ChunkTable chunks = dataset.chunks();
      if (fields[1].equals("count")) {
        assertEquals(Long.parseLong(fields[2]), chunks.count(), fields[0]);
        assertEquals(Long.parseLong(fields[3]), chunks.storedBytes(), fields[0]);
        name = fields[0];
        number = 0;
        continue;
      }
      assertEquals(name, fields[0]);
      ChunkInfo info = chunks.get(number++);
      long[] at = array(info.offset());
      ChunkImage image = chunks.image(at).orElseThrow();
      String ours =
          String.join(
              "\t",
              name,
              info.offset().stream().map(String::valueOf).collect(Collectors.joining(",")),
              Long.toString(info.address()),
              Long.toString(info.size()),
              Integer.toString(info.sections().getFirst().filterMask()),
              Expectations.sha256(image.bytes().toArray(ValueLayout.JAVA_BYTE)));
      assertEquals(line, ours, h5py.toString());
      assertEquals(Optional.of(info), chunks.at(at));
    }
  }

  @Test
  void h5py_and_skerry_read_directly_written_chunks_of_each_other() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    for (Oracle h5py : H5PY) {
      Path path = folder.resolve("direct" + h5py.hdf5() + ".h5");
      DatasetSpec spec =
          DatasetSpec.of(Datatype.I32, Shape.of(21, 34).unlimited(0))
              .chunked(4, 10)
              .filters(Filters.shuffle(), Filters.deflate(4));
      int[] values = new Random(3).ints(21 * 34, 0, 500).toArray();
      try (H5File file = H5File.create(path, Communicator.self())) {
        Dataset source = file.createDataset("/source", spec);
        source.write(Selection.all(), values);
        Dataset ours = file.createDataset("/ours", spec);
        ChunkTable chunks = source.chunks();
        List<ChunkInfo> all = new ArrayList<>();
        chunks.forEach(all::add);
        for (ChunkInfo info : all) {
          long[] at = array(info.offset());
          ours.writeChunk(chunks.image(at).orElseThrow(), at);
        }
        file.createDataset("/theirs", spec);
      }
      assertEquals(List.of("True"), run(h5py, "copy", path, "ours", "theirs"));
      try (H5File file = H5File.open(path)) {
        assertArrayEquals(values, file.dataset("/ours").readInts(Selection.all()));
        assertArrayEquals(values, file.dataset("/theirs").readInts(Selection.all()));
        compare(run(h5py, "list", path), file, h5py);
      }
    }
  }
}
