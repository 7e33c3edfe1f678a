package io.skerry.integration.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.integration.random.FileForm;
import io.skerry.jobs.Skerry;
import io.skerry.testkit.oracle.Oracle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that random files keep their content in a container and in the file made of it. */
class ContainerCopiesTest {
  /**
   * The number of random files, at most 14. The digests of later files differ: elements with
   * content of variable length are copied as values, which do not keep the bits of a NaN, and as in
   * HDF5's conversions all mantissa bits of a NaN are set when a value is written.
   */
  private static final int FILES = Integer.getInteger("skerry.container.files", 6);

  /** What a container cannot hold. */
  private static final List<String> REFUSALS =
      List.of(
          "nested in a variable-length type", "external link to ", "virtual ", "form of HDF5 1.12");

  private static final String COMPARE =
      """
      import h5py, sys, numpy as np
      def same(a, b):
          if a.shape is None or b.shape is None: return a.shape == b.shape
          x, y = a[()], b[()]
          if a.dtype.hasobject or a.dtype.kind == "O": return str(x) == str(y)
          return np.asarray(x).tobytes() == np.asarray(y).tobytes()
      for seed in range(int(sys.argv[1])):
          with h5py.File(f"{seed}.h5") as a, h5py.File(f"{seed}.back.h5") as b:
              found = []
              a.visit(found.append)
              again = []
              b.visit(again.append)
              assert sorted(found) == sorted(again), (seed, found, again)
              for name in found:
                  x, y = a[name], b[name]
                  assert type(x) == type(y), (seed, name)
                  assert sorted(x.attrs) == sorted(y.attrs), (seed, name)
                  if isinstance(x, h5py.Dataset):
                      assert x.dtype == y.dtype and x.maxshape == y.maxshape, (seed, name)
                      if x.dtype.kind != "O" or h5py.check_ref_dtype(x.dtype) is None:
                          assert same(x, y), (seed, name)
      """;

  @TempDir Path folder;

  private final Map<String, Integer> tally = new TreeMap<>();

  static List<FileForm> forms() {
    return FileForm.all();
  }

  private record Ran(int code, String out, String err) {}

  private static Ran skerry(Object... line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      String[] words = List.of(line).stream().map(Object::toString).toArray(String[]::new);
      int code = Skerry.run(Map.of(), new PrintStream(out, true, StandardCharsets.UTF_8), words);
      return new Ran(
          code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(before);
    }
  }

  private static String good(Object... line) {
    Ran ran = skerry(line);
    assertEquals(0, ran.code(), List.of(line) + "\n" + ran.err() + ran.out());
    return ran.out();
  }

  /**
   * Copies a file to a container and back, and compares the digests.
   *
   * @return whether the container can hold the content
   */
  private boolean keptContent(Path file, Path back) throws IOException {
    String digest = good("digest", "--json", file);
    Path run = folder.resolve("run");
    Ran ran = skerry("repack", file, "iod:" + run, "--force");
    if (ran.code() != 0) {
      Optional<String> reason = REFUSALS.stream().filter(ran.err()::contains).findFirst();
      assertTrue(reason.isPresent(), file + " " + ran.err());
      assertTrue(Files.notExists(folder.resolve("run.partial")), file.toString());
      tally.merge("refused: " + reason.get().strip(), 1, Integer::sum);
      return false;
    }
    assertEquals(digest, good("digest", "--json", "iod:" + run), file.toString());
    String unused = good("verify", "iod:" + run);
    unused = good("iod", "dump", run);
    unused = good("repack", "iod:" + run, back);
    assertEquals(digest, good("digest", "--json", back), file.toString());
    unused = good("verify", back);
    tally.merge("copied", 1, Integer::sum);
    return true;
  }

  @ParameterizedTest
  @MethodSource("forms")
  void random_files_keep_their_content(FileForm form) throws IOException {
    for (int seed = 0; seed < FILES; seed++) {
      Path file = folder.resolve(form.name() + "-" + seed + ".h5");
      Path back = folder.resolve(form.name() + "-" + seed + ".back.h5");
      WritingPlan plan = WritingPlan.of(seed, form);
      plan.write(file);
      if (keptContent(file, back)) {
        assertEquals(Optional.empty(), plan.difference(back), file.toString());
      }
    }
    System.out.println(form.name() + " " + tally);
  }

  @Test
  void files_of_h5py_keep_their_content_for_h5py() throws IOException {
    assumeTrue(!Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    Oracle h5py = Oracle.h5py().getLast();
    h5py.script(folder, "random_files.py", folder, 0, FILES).expectSuccess();
    for (int seed = 0; seed < FILES; seed++) {
      Path file = folder.resolve(seed + ".h5");
      Path back = folder.resolve(seed + ".back.h5");
      if (!keptContent(file, back)) {
        Files.copy(file, back);
      }
    }
    h5py.run(folder, "-c", COMPARE, FILES).expectSuccess();
    System.out.println("h5py " + tally);
  }
}
