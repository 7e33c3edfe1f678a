package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.integration.interop.written.NumericTypes;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Expectations;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads dense files that h5py writes at each version bound from 1.10, on one and more ranks. */
class ForeignDenseFilesTest {
  private static final List<Oracle> H5PY = Oracle.h5py();
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  /** Number of elements, four in a chunk, for which data blocks of an index have pages. */
  private static final int PAGED = THOROUGH ? 600_000 : 530_000;

  private static final int FEWER = 80_000;

  @TempDir Path folder;

  /** An h5py and the version bound with which it writes. */
  private record Maker(Oracle h5py, String bound) {}

  private static List<Maker> makers() {
    List<Maker> makers = new ArrayList<>();
    for (Oracle h5py : H5PY) {
      makers.add(new Maker(h5py, "latest"));
      if (!h5py.hdf5().startsWith("1.10")) {
        makers.add(new Maker(h5py, "v110"));
      }
    }
    return makers;
  }

  @Test
  void values_and_attributes_are_those_that_h5py_reports() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    for (Maker maker : makers()) {
      Path file = folder.resolve(maker.h5py().hdf5() + maker.bound() + ".h5");
      // The other files differ from the first in their version bounds only.
      boolean all = THOROUGH || maker.equals(makers().getFirst());
      int longest = all ? PAGED : FEWER;
      ProcessResult made =
          maker.h5py().script(folder, "make.py", file, maker.bound(), maker.bound(), longest);
      List<String> lines = made.expectSuccess().out().lines().toList();
      assertTrue(lines.size() > 200, "lines: " + lines.size());
      for (int ranks : all ? new int[] {1, 3} : new int[] {3}) {
        List<List<byte[]>> read = LocalRanks.call(ranks, world -> read(file, lines, world));
        compare(lines, read);
      }
      System.out.println(maker.h5py() + " " + maker.bound() + ": " + lines.size() + " facts read");
    }
  }

  /** Returns this rank's part of the rows of each dataset, or the attribute's bytes. Collective. */
  private static List<byte[]> read(Path path, List<String> lines, Communicator world) {
    List<byte[]> read = new ArrayList<>();
    try (H5File file = H5File.open(path, world)) {
      for (String line : lines) {
        String[] fields = line.split("\t");
        if (fields[0].equals("attribute")) {
          Attribute attribute = file.dataset(fields[1]).attribute(fields[2]).orElseThrow();
          read.add(attribute.bytes());
        } else {
          Dataset dataset = file.dataset(fields[0]);
          assertArrayEquals(
              Arrays.stream(fields[2].split(",")).mapToLong(Long::parseLong).toArray(),
              dataset.shape().extent());
          assertEquals(
              NumericTypes.ALL.stream()
                  .filter(t -> t.dtype().replace(">i1", "<i1").equals(fields[1].replace('|', '<')))
                  .findFirst()
                  .orElseThrow()
                  .type()
                  .size(),
              dataset.datatype().size());
          read.add(dataset.readBytes(rows(dataset, world)));
        }
      }
    }
    return read;
  }

  private static Selection rows(Dataset dataset, Communicator world) {
    long[] start = new long[dataset.shape().rank()];
    long[] end = dataset.shape().extent();
    long size = end[0];
    start[0] = size * world.rank() / world.size();
    end[0] = size * (world.rank() + 1) / world.size();
    return start[0] < end[0] ? Selection.blocks(List.of(new Box(start, end))) : Selection.none();
  }

  private static void compare(List<String> lines, List<List<byte[]>> byRank) {
    for (int i = 0; i < lines.size(); i++) {
      String[] fields = lines.get(i).split("\t");
      if (fields[0].equals("attribute")) {
        assertEquals(fields[5], HexFormat.of().formatHex(byRank.getFirst().get(i)), lines.get(i));
      } else {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (List<byte[]> parts : byRank) {
          all.writeBytes(parts.get(i));
        }
        assertEquals(fields[3], Expectations.sha256(all.toByteArray()), lines.get(i));
      }
    }
  }
}
