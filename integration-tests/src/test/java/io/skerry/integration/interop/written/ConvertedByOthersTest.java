package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.datatype.DatatypeCodec;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads and writes datasets of every layout in other datatypes, and compares with h5py. */
class ConvertedByOthersTest {
  private static final HexFormat HEX = HexFormat.of();

  @TempDir Path folder;

  @Test
  void members_and_numbers_of_other_types_are_read_and_written_as_by_the_library()
      throws IOException {
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    List<String> cases =
        h5py.get()
            .script(folder, "converted.py", folder, 23)
            .expectSuccess()
            .out()
            .lines()
            .toList();
    for (String line : cases) {
      String[] fields = line.split(" ");
      Path path = folder.resolve(fields[1]);
      Datatype memory =
          DatatypeCodec.decode(
              ByteReader.of(MemorySegment.ofArray(HEX.parseHex(fields[3])), "memory type"));
      byte[] values = HEX.parseHex(fields[4]);
      String what = String.join(" ", fields[0], fields[2], memory.toString());
      if (fields[0].equals("read")) {
        try (H5File file = H5File.open(path)) {
          file.dataset(fields[2]).read(Selection.all(), memory, MemorySegment.ofArray(values));
        }
        assertEquals(fields[5], HEX.formatHex(values), what);
      } else {
        try (H5File file = H5File.openForWriting(path, Communicator.self())) {
          Dataset dataset = file.dataset(fields[2]);
          dataset.write(Selection.all(), memory, MemorySegment.ofArray(values));
          assertEquals(fields[5], HEX.formatHex(dataset.readBytes(Selection.all())), what);
        }
      }
    }
    assertTrue(cases.size() > 70, "cases=" + cases.size());
    System.out.println(cases.size() + " reads and writes convert as h5py's library does");
  }
}
