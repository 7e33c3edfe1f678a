package io.skerry.jobs.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.VariableLength;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell.Ran;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code skerry repack} and {@code skerry convert}. */
class RepackTest {
  @TempDir private Path folder;

  private static Ran good(String... line) {
    Ran ran = InProcess.skerry(line);
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    return ran;
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  /** Creates a file with unused space. */
  private String holed() {
    Path path = folder.resolve("in.h5");
    int[] numbers = new int[6000];
    Arrays.setAll(numbers, i -> i / 7);
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(60, 100));
    try (H5File file = H5File.create(path)) {
      for (String name : List.of("/gone", "/flat", "/chunked", "/alone")) {
        DatasetSpec stored = name.equals("/flat") ? spec.contiguous() : spec.chunked(10, 10);
        file.createDataset(name, stored).write(Selection.all(), numbers);
        file.dataset(name).setAttribute(Attribute.of("name", name));
        file.flush();
      }
      file.createDataset("/small", DatasetSpec.of(Datatype.I32, Shape.of(5)).contiguous())
          .write(Selection.all(), new int[] {1, 2, 3, 4, 5});
      file.createDataset(
              "/texts", DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(200)))
          .write(Selection.all(), "x ".repeat(200).split("(?<= )"));
      file.createDataset("/hits", spec.sparse(10, 10))
          .write(Selection.at(5, 5).extent(3, 3), new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
      file.unlink("/gone");
    }
    return path.toString();
  }

  private static String digest(String file) {
    return good("digest", "--json", file).out();
  }

  private Set<String> files() throws IOException {
    try (var all = Files.list(folder)) {
      return new TreeSet<>(all.map(f -> f.getFileName().toString()).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_repacked_file_has_the_same_content_and_no_holes(int ranks) throws IOException {
    String in = holed();
    String out = path("out.h5");
    Ran ran = good("repack", in, out, "--ranks", "" + ranks, "--json");
    assertEquals(
        "{\"in\": \"%s\", \"out\": \"%s\", \"ranks\": %d, \"bytesBefore\": %d, \"bytesAfter\": %d}\n"
            .formatted(in, out, ranks, Files.size(Path.of(in)), Files.size(Path.of(out))),
        ran.out());
    assertEquals(digest(in), digest(out));
    assertTrue(good("verify", out).out().contains(" 0  bytes: unclaimed\n"));
    assertTrue(Files.size(Path.of(in)) > Files.size(Path.of(out)) + 24000);
    assertEquals(Set.of("in.h5", "out.h5"), files());
  }

  @Test
  void a_rule_without_a_path_applies_to_datasets_of_1024_bytes_and_more() {
    String in = path("sizes.h5");
    try (H5File file = H5File.create(Path.of(in))) {
      for (int elements : new int[] {341, 342}) {
        file.createDataset(
            "/" + elements, DatasetSpec.of(new Opaque(3, ""), Shape.of(elements)).contiguous());
      }
    }
    String out = path("out.h5");
    good("repack", in, out, "--layout", "chunked");
    try (H5File file = H5File.open(Path.of(out))) {
      assertEquals("contiguous", file.dataset("/341").storage().layout());
      assertFalse(file.dataset("/342").storage().chunk().isEmpty());
    }
  }

  @Test
  void a_rule_applies_to_all_matching_datasets_or_to_one_path() throws IOException {
    String in = holed();
    String out = path("out.h5");
    good(
        "repack",
        in,
        out,
        "--filter",
        "shuf+gzip=6",
        "--chunk",
        "20x50",
        "--filter",
        "/chunked=bzip2=9",
        "--layout",
        "/alone=contiguous");
    assertEquals(digest(in), digest(out));
    try (H5File file = H5File.open(Path.of(out))) {
      assertEquals(List.of("shuffle(4)+deflate(6)"), file.dataset("/flat").storage().filters());
      assertEquals(List.of(20L, 50L), file.dataset("/flat").storage().chunk());
      assertEquals(List.of("bzip2(9)"), file.dataset("/chunked").storage().filters());
      assertEquals("contiguous", file.dataset("/alone").storage().layout());
      assertEquals("contiguous", file.dataset("/small").storage().layout());
      assertEquals("contiguous", file.dataset("/texts").storage().layout());
      assertEquals(List.of(20L, 50L), file.dataset("/hits").storage().chunk());
      assertTrue(file.dataset("/hits").isSparse());
      assertEquals("/flat", file.dataset("/flat").attribute("name").orElseThrow().text());
    }
    String plain = path("plain.h5");
    good("repack", out, plain, "--filter", "none");
    assertEquals(digest(in), digest(plain));
    try (H5File file = H5File.open(Path.of(plain))) {
      assertEquals(List.of(), file.dataset("/flat").storage().filters());
      assertEquals(List.of(), file.dataset("/hits").storage().filters());
    }
  }

  @Test
  void every_named_filter_preserves_the_content() {
    String in = holed();
    for (String filter :
        List.of(
            "gzip=1",
            "shuf",
            "fletcher32",
            "szip=8,NN",
            "szip=16,EC",
            "nbit",
            "soff=0,IN",
            "lzf",
            "lz4",
            "lz4=512",
            "zstd=3",
            "bzip2=1",
            "bshuf",
            "bshuf-lz4",
            "bshuf-zstd=2",
            "blosc=zstd,5,bit",
            "blosc=LZ4,1",
            "ud=32015,0,1,7",
            "SHUF+GZIP=9+fletcher32")) {
      String out = path(filter.replace('=', '_') + ".h5");
      good("repack", in, out, "--filter", "/flat=" + filter, "--filter", "/chunked=" + filter);
      assertEquals(digest(in), digest(out), filter);
      try (H5File file = H5File.open(Path.of(out))) {
        assertEquals(1, file.dataset("/flat").storage().filters().size(), filter);
      }
    }
  }

  @Test
  void errors_are_reported_and_leave_no_files() throws IOException {
    String in = holed();
    String out = path("out.h5");
    for (List<String> line :
        List.of(
            List.of("no such object: path=/nothing", "--chunk", "/nothing=2x2"),
            List.of("not a dataset", "--chunk", "/=2x2"),
            List.of("one size per dimension", "--chunk", "/flat=2"),
            List.of("only chunks can have", "--layout", "/flat=compact", "--filter", "/flat=lzf"),
            List.of("a sparse dataset needs chunks", "--layout", "/hits=contiguous"))) {
      String[] more = line.subList(1, line.size()).toArray(String[]::new);
      Ran ran = InProcess.skerry(joined(new String[] {"repack", in, out}, more));
      assertEquals(1, ran.code(), ran.err());
      assertTrue(ran.err().startsWith("skerry: ") && ran.err().contains(line.get(0)), ran.err());
      assertEquals(1, ran.err().lines().count(), ran.err());
    }
    for (List<String> line :
        List.of(
            List.of("no such filter: filter=gzap", "--filter", "gzap=1"),
            List.of("deflate level must be", "--filter", "gzip=11"),
            List.of("not the parameters of a filter", "--filter", "szip=8"),
            List.of("not sizes joined by x", "--chunk", "1y2"),
            List.of("sizes of at least 1", "--chunk", "0x2"),
            List.of("nothing after the path", "--chunk", "/flat"),
            List.of("not compact, contiguous or chunked", "--layout", "/flat=round"),
            List.of("must be at least 1: ranks=0", "--ranks", "0"))) {
      String[] more = line.subList(1, line.size()).toArray(String[]::new);
      Ran ran = InProcess.skerry(joined(new String[] {"repack", in, out}, more));
      assertEquals(2, ran.code(), ran.err());
      assertTrue(ran.err().contains(line.get(0)), ran.err());
    }
    Ran same = InProcess.skerry("repack", in, in);
    assertEquals(1, same.code());
    assertTrue(same.err().contains("the output would replace the input"), same.err());
    assertEquals(
        "skerry: no such file: file=" + path("missing.h5") + "\n",
        InProcess.skerry("repack", path("missing.h5"), out).err());
    assertEquals(Set.of("in.h5"), files());
  }

  private static String[] joined(String[] one, String[] other) {
    String[] all = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, all, one.length, other.length);
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void convert_copies_from_dense_to_sparse_and_back_within_and_between_files(int ranks) {
    String in = holed();
    String out = path("out.h5");
    String n = "" + ranks;
    assertEquals(
        "{\"in\": \"%s:/flat\", \"out\": \"%s:/g/s\", \"ranks\": %s, \"elements\": 6000, \"defined\": 5993, \"leftOut\": 7}\n"
            .formatted(in, out, n),
        good(
                "convert",
                in + ":/flat",
                out + ":/g/s",
                "--sparse",
                "16x16",
                "--undefined",
                "3",
                "--ranks",
                n,
                "--json")
            .out());
    String back =
        good("convert", out + ":/g/s", out + ":/back", "--dense", "--ranks", n, "--json").out();
    assertTrue(back.endsWith("\"defined\": 5993, \"definedWithValue\": 0}\n"), back);
    back =
        good(
                "convert",
                out + ":/g/s",
                out + ":/five",
                "--dense",
                "--undefined",
                "5",
                "--chunk",
                "30x30",
                "--filter",
                "none",
                "--ranks",
                n,
                "--json")
            .out();
    assertTrue(back.endsWith("\"definedWithValue\": 7}\n"), back);
    good("convert", in + ":/flat", in + ":/inside", "--sparse", "60x10", "--ranks", n);
    try (H5File file = H5File.open(Path.of(out));
        H5File source = H5File.open(Path.of(in))) {
      int[] values = source.dataset("/flat").readInts(Selection.all());
      assertArrayEquals(values, file.dataset("/g/s").readInts(Selection.all()));
      assertArrayEquals(values, file.dataset("/back").readInts(Selection.all()));
      assertEquals("/flat", file.dataset("/back").attribute("name").orElseThrow().text());
      assertEquals(List.of(30L, 30L), file.dataset("/five").storage().chunk());
      assertEquals(List.of(), file.dataset("/five").storage().filters());
      int[] five = file.dataset("/five").readInts(Selection.all());
      for (int i = 0; i < values.length; i++) {
        assertEquals(values[i] == 3 ? 5 : values[i], five[i]);
      }
      assertTrue(source.dataset("/inside").isSparse());
    }
    assertEquals(0, good("verify", out).code());
    assertEquals(0, good("verify", in).code());
  }

  @Test
  void values_are_parsed_in_the_datatype_of_the_dataset() {
    Path path = folder.resolve("types.h5");
    byte[] half = {0, 0, 0, 0, 0, 0, (byte) 0xe0, 0x3f};
    try (H5File file = H5File.create(path)) {
      DatasetSpec spec = DatasetSpec.of(Datatype.F64, Shape.of(4));
      file.createDataset("/f64", spec)
          .write(Selection.all(), new double[] {0.5, Double.NaN, -0.0, Double.POSITIVE_INFINITY});
      file.createDataset("/text", DatasetSpec.of(io.skerry.datatype.StringType.of(3), Shape.of(2)))
          .write(Selection.all(), new String[] {"abc", "n/a"});
      file.createDataset("/fill", spec.fillValue(half).chunked(2));
    }
    String out = path("out.h5");
    String[][] cases = {
      {"/f64", "nan", "1"}, {"/f64", "inf", "1"}, {"/f64", "0", "0"}, {"/f64", "-0.0", "1"},
      {"/f64", "0.5", "1"}, {"/text", "n/a", "1"}, {"/fill", "0.5", "4"}, {"/fill", "0.25", "0"}
    };
    for (int i = 0; i < cases.length; i++) {
      String ran =
          good(
                  "convert",
                  path + ":" + cases[i][0],
                  out + ":/" + i,
                  "--sparse",
                  "2",
                  "--undefined",
                  cases[i][1],
                  "--json")
              .out();
      assertTrue(ran.endsWith("\"leftOut\": " + cases[i][2] + "}\n"), cases[i][1] + " " + ran);
    }
    for (String[] wrong :
        new String[][] {
          {"/f64", "half", "not a value of the dataset's type: value=half type=f64"},
          {"/text", "too long", "text longer than its field"}
        }) {
      Ran ran =
          InProcess.skerry(
              "convert",
              path + ":" + wrong[0],
              out + ":/x",
              "--sparse",
              "2",
              "--undefined",
              wrong[1]);
      assertEquals(1, ran.code());
      assertTrue(ran.err().contains(wrong[2]), ran.err());
    }
  }

  @Test
  void strings_are_converted_to_sparse_and_back() throws IOException {
    String in = holed();
    String sparse = folder.resolve("texts.h5").toString();
    String dense = folder.resolve("again.h5").toString();
    Ran there =
        InProcess.skerry("convert", in + ":/texts", sparse + ":/t", "--sparse", "2", "--json");
    assertEquals(0, there.code(), there.err());
    Ran back = InProcess.skerry("convert", sparse + ":/t", dense + ":/texts", "--dense");
    assertEquals(0, back.code(), back.err());
    assertEquals(digest(in, "/texts"), digest(dense, "/texts"));
    assertEquals(digest(in, "/texts"), digest(sparse, "/t"));
  }

  /** Returns the digest of one dataset. */
  private static String digest(String file, String dataset) {
    Ran ran = InProcess.skerry("digest", file);
    assertEquals(0, ran.code(), ran.err());
    return ran.out()
        .lines()
        .filter(line -> line.contains(" " + dataset + " "))
        .map(line -> line.split(" ")[0])
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_refused_conversion_changes_no_file() throws IOException {
    String in = holed();
    byte[] before = Files.readAllBytes(Path.of(in));
    for (List<String> line :
        List.of(
            List.of("is sparse already", in + ":/hits", in + ":/x", "--sparse", "2x2"),
            List.of("is dense already", in + ":/flat", in + ":/x", "--dense"),
            List.of("the name is taken", in + ":/flat", in + ":/hits", "--sparse", "2x2"),
            List.of("no such object", in + ":/none", in + ":/x", "--sparse", "2x2"))) {
      String[] more = line.subList(1, line.size()).toArray(String[]::new);
      Ran ran = InProcess.skerry(joined(new String[] {"convert"}, more));
      assertEquals(1, ran.code(), ran.err());
      assertTrue(ran.err().contains(line.get(0)), ran.err());
      assertArrayEquals(before, Files.readAllBytes(Path.of(in)), line.get(0));
    }
    for (List<String> line :
        List.of(
            List.of("not FILE:/path: dataset=" + in, in, in + ":/x", "--dense"),
            List.of("--sparse", in + ":/flat", in + ":/x"),
            List.of(
                "--sparse gives the chunk shape already",
                in + ":/flat",
                in + ":/x",
                "--sparse",
                "2x2",
                "--chunk",
                "3x3"))) {
      String[] more = line.subList(1, line.size()).toArray(String[]::new);
      Ran ran = InProcess.skerry(joined(new String[] {"convert"}, more));
      assertEquals(2, ran.code(), ran.err());
      assertTrue(ran.err().contains(line.get(0)), ran.err());
    }
    assertEquals(Set.of("in.h5"), files());
  }
}
