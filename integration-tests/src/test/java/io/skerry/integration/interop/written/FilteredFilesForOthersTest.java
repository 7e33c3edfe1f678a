package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Signedness;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes files with every filter and reads them with HDF5 libraries that have plugins. */
class FilteredFilesForOthersTest {
  private static final long[] SHAPE = {7, 610};
  private static final int[] CHUNK = {3, 205};

  @TempDir Path folder;

  private static Map<String, List<FilterSpec>> pipelines() {
    Map<String, List<FilterSpec>> all = new LinkedHashMap<>();
    for (Filters.BloscCodec codec : Filters.BloscCodec.values()) {
      for (Filters.BloscShuffle shuffle : Filters.BloscShuffle.values()) {
        String name = "blosc " + codec.name().toLowerCase(Locale.ROOT) + " " + shuffle;
        all.put(name, List.of(Filters.blosc(codec, 5, shuffle)));
      }
    }
    all.put("lz4", List.of(Filters.lz4()));
    all.put("lz4 blocks", List.of(Filters.lz4(300)));
    all.put("zstd", List.of(Filters.zstd(4), Filters.fletcher32()));
    all.put("bzip2", List.of(Filters.bzip2(2)));
    all.put("bitshuffle", List.of(Filters.bitshuffle(), Filters.deflate(2)));
    all.put("bitshuffle lz4", List.of(Filters.bitshuffleLz4()));
    all.put("bitshuffle zstd", List.of(Filters.bitshuffleZstd(3)));
    all.put("lzf", List.of(Filters.shuffle(), Filters.lzf()));
    all.put("scaleoffset", List.of(Filters.scaleOffset()));
    all.put("szip ec", List.of(Filters.szip(Filters.SzipCoding.ENTROPY, 8)));
    all.put("szip nn", List.of(Filters.szip(Filters.SzipCoding.NEAREST_NEIGHBOR, 32)));
    all.put("nbit", List.of(Filters.nbit()));
    return all;
  }

  /** Writes a dataset for each pipeline and returns the checksums by name. */
  private static Map<String, String> write(Path path, FormatBounds bounds) {
    Map<String, String> sums = new LinkedHashMap<>();
    Random random = new Random(7);
    FileOptions options = FileOptions.standard().withBounds(bounds);
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      pipelines()
          .forEach((name, filters) -> {
            for (String kind : List.of("i4", "u2", "noise")) {
              boolean nbit = name.equals("nbit");
              Endian order = Endian.LITTLE;
              FixedPoint type =
                  kind.equals("u2")
                      ? new FixedPoint(2, order, Signedness.UNSIGNED, 0, nbit ? 11 : 16)
                      : new FixedPoint(4, order, Signedness.SIGNED, 0, nbit ? 20 : 32);
              int most = kind.equals("noise") && !nbit ? Integer.MAX_VALUE : 900;
              int[] values = new int[(int) (SHAPE[0] * SHAPE[1])];
              for (int i = 0; i < values.length; i++) {
                boolean repeat = i > 9 && !kind.equals("noise") && random.nextInt(4) > 0;
                values[i] = repeat ? values[i - 9] : random.nextInt(most);
              }
              String dataset = name + " " + kind;
              sums.put(dataset, sha256(values, type.size()));
              write(file, dataset, type, filters, values);
            }
          });
    }
    return sums;
  }

  private static void write(
      H5File file, String name, Datatype type, List<FilterSpec> filters, int[] values) {
    DatasetSpec spec =
        DatasetSpec.of(type, Shape.of(SHAPE))
            .chunked(CHUNK[0], CHUNK[1])
            .filters(filters.toArray(FilterSpec[]::new));
    Dataset dataset = file.createDataset("/" + name, spec);
    if (type.size() == 4) {
      dataset.write(Selection.all(), values);
      return;
    }
    short[] narrow = new short[values.length];
    for (int i = 0; i < values.length; i++) {
      narrow[i] = (short) values[i];
    }
    dataset.write(Selection.all(), narrow);
  }

  private static String sha256(int[] values, int size) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * size).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      if (size == 2) {
        bytes.putShort((short) value);
      } else {
        bytes.putInt(value);
      }
    }
    try {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(bytes.array());
      return HexFormat.of().formatHex(sum);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** Compares the output of a reader; returns the number of datasets whose filters it has. */
  private static int compare(Map<String, String> sums, ProcessResult ran) {
    assertEquals(0, ran.code(), ran.err());
    int read = 0;
    int lines = 0;
    for (String line : ran.out().lines().toList()) {
      String name =
          sums.keySet().stream().filter(n -> line.startsWith(n + " ")).findFirst().orElseThrow();
      String said = line.substring(name.length() + 1);
      lines++;
      if (!said.startsWith("unavailable")) {
        assertEquals(sums.get(name), said, name);
        read++;
      }
    }
    assertEquals(sums.size(), lines);
    return read;
  }

  @Test
  void every_h5py_reads_the_datasets_whose_filters_it_has() {
    List<Oracle> oracles = Oracle.h5py();
    assumeTrue(!oracles.isEmpty(), "no python with h5py: skipped");
    for (FormatBounds bounds : FormatBounds.values()) {
      Path path = folder.resolve("filtered" + bounds + ".h5");
      Map<String, String> sums = write(path, bounds);
      for (Oracle oracle : H5pyChecks.oracles(bounds)) {
        int read = compare(sums, oracle.script(folder, "read_filtered.py", path));
        System.out.println(
            oracle + " read " + read + " of " + sums.size() + " filtered datasets, " + bounds);
        assertTrue(read >= 6, "read=" + read);
      }
    }
  }

  @Test
  void h5wasm_with_its_plugins_reads_the_datasets_whose_filters_it_has() {
    Optional<Oracle> node = Oracle.node();
    assumeTrue(
        node.isPresent(),
        "no node with h5wasm and h5wasm-plugins in the folder SKERRY_NODE_MODULES: skipped");
    Path path = folder.resolve("filtered.h5");
    Map<String, String> sums = write(path, FormatBounds.EARLIEST);
    int read = compare(sums, node.get().script(folder, "read_filtered.mjs", path));
    System.out.println("h5wasm read " + read + " of " + sums.size() + " filtered datasets");
    assertTrue(read > sums.size() / 2, "read=" + read);
  }
}
