package io.skerry.datatype;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.PythonOracle;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.datatype.DatatypeCodec;
import io.skerry.chunk.datatype.conversion.Conversion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares random conversions with those of H5Tconvert. */
class ConversionOracleTest {
  private static final int ELEMENTS = 40;
  private static final HexFormat HEX = HexFormat.of();

  private static final String SCRIPT =
      """
      from h5py import h5t
      assert h5py.version.hdf5_version_tuple %s (2,)
      print(h5py.version.hdf5_version)
      for line in open(%s):
          a, b, data, back = line.split()
          try:
              a = h5t.decode(bytes.fromhex('0300' + a))
              b = h5t.decode(bytes.fromhex('0300' + b))
          except Exception:
              print('unknown')
              continue
          size = max(a.get_size(), b.get_size())
          buffers = []
          for text in (data, back):
              raw = np.frombuffer(bytes.fromhex(text), 'u1')
              buffer = np.zeros(size * %d, 'u1')
              buffer[:len(raw)] = raw
              buffers.append(buffer)
          try:
              h5t.convert(a, b, %d, *buffers)
              print(buffers[0][:b.get_size() * %d].tobytes().hex())
          except Exception:
              print('refused')
      """;

  @TempDir private Path folder;

  private record Case(RandomTypes.Pair pair, byte[] in, byte[] background) {
    String line() {
      return String.join(
          " ",
          encoded(pair.from()),
          encoded(pair.to()),
          HEX.formatHex(in),
          HEX.formatHex(background));
    }

    private static String encoded(Datatype type) {
      ByteWriter out = ByteWriter.create();
      DatatypeCodec.encode(type, out);
      return HEX.formatHex(out.written().toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Test
  void numbers_of_any_format_agree() throws Exception {
    Random random = new Random(11);
    RandomTypes types = new RandomTypes(random);
    compare(random, ">=", types::numbers, 1500);
  }

  @Test
  void texts_bits_and_complex_numbers_agree() throws Exception {
    Random random = new Random(12);
    RandomTypes types = new RandomTypes(random);
    compare(random, ">=", types::texts, 200);
    compare(random, ">=", types::bits, 200);
    compare(random, ">=", types::complexes, 200);
  }

  /** HDF5 2.0 is excluded because it confuses the member names of the two enumerations. */
  @Test
  void enumerations_agree_with_versions_before_2_0() throws Exception {
    Random random = new Random(14);
    RandomTypes types = new RandomTypes(random);
    compare(random, "<", types::enumerations, 300);
  }

  @Test
  void compounds_and_arrays_agree_in_written_and_in_kept_members() throws Exception {
    Random random = new Random(13);
    RandomTypes types = new RandomTypes(random);
    compare(random, ">=", () -> types.compounds(2), 600);
  }

  private void compare(Random random, String version, Supplier<RandomTypes.Pair> pairs, int count)
      throws Exception {
    RandomElements elements = new RandomElements(random);
    List<Case> cases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RandomTypes.Pair pair = pairs.get();
      byte[] background = new byte[ELEMENTS * pair.to().size()];
      random.nextBytes(background);
      cases.add(new Case(pair, elements.of(pair.from(), ELEMENTS), background));
    }
    Path file = folder.resolve("cases" + random.nextInt());
    Files.write(file, cases.stream().map(Case::line).toList());
    List<String> answers =
        PythonOracle.run(SCRIPT.formatted(version, "'" + file + "'", ELEMENTS, ELEMENTS, ELEMENTS));
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    for (int i = 0; i < count; i++) {
      String answer = answers.get(i + 1);
      Case each = cases.get(i);
      byte[] out = each.background.clone();
      Conversion.between(each.pair.from(), each.pair.to())
          .convert(MemorySegment.ofArray(each.in), MemorySegment.ofArray(out), ELEMENTS);
      if (answer.length() != 2 * out.length) {
        wrong.add(each.pair + " " + answer);
        continue;
      }
      wrong.addAll(
          LibraryDifferences.find(
              each.pair, each.in, out, HEX.parseHex(answer), answers.getFirst()));
      compared++;
    }
    System.out.println(
        compared + " random conversions compared with H5Tconvert of HDF5 " + answers.getFirst());
    assertTrue(wrong.isEmpty(), () -> wrong.size() + " differ, the first: " + wrong.getFirst());
  }
}
