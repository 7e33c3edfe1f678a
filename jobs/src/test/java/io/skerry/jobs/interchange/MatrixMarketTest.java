package io.skerry.jobs.interchange;

import static io.skerry.jobs.InProcess.good;
import static io.skerry.jobs.InProcess.refused;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Matrix Market text that {@code skerry import} must not misinterpret. */
class MatrixMarketTest {
  @TempDir private Path folder;

  private Path text(String content) throws IOException {
    return Files.writeString(
        folder.resolve("m.mtx"), "%%MatrixMarket matrix coordinate " + content);
  }

  private void refusedText(String reason, String content, Object... more) throws IOException {
    Object[] line = new Object[5 + more.length];
    System.arraycopy(more, 0, line, 5, more.length);
    line[0] = "import";
    line[1] = text(content);
    line[2] = folder + "/bad.h5:/m";
    line[3] = "--from";
    line[4] = "mtx";
    refused(1, reason, line);
    assertFalse(Files.exists(folder.resolve("bad.h5")), content);
  }

  @Test
  void complex_numbers_are_not_reduced_to_their_real_parts() throws IOException {
    String lines = "2 2 1\n1 1 1.5 2\n";
    refusedText("type of complex elements", "complex general\n" + lines, "--type", "f64");
    refusedText("type of complex elements", "complex general\n" + lines, "--type", "i32");
    refusedText("type of complex elements", "complex general\n% type f32\n" + lines);
    good(
        "import",
        text("complex general\n" + lines),
        folder + "/good.h5:/m",
        "--from",
        "mtx",
        "--type",
        "complex64");
    String dump = good("dump", folder + "/good.h5:/m").out();
    assertTrue(dump.contains("{r: 1.5, i: 2.0}"), dump);
  }

  @Test
  void only_complex_matrices_may_be_hermitian() throws IOException {
    for (String field : new String[] {"real", "integer"}) {
      refusedText("field of a hermitian matrix", field + " hermitian\n2 2 1\n2 1 5\n");
    }
    refusedText("field of a hermitian matrix", "pattern hermitian\n2 2 1\n2 1\n");
  }

  @Test
  void finite_numbers_do_not_become_infinite() throws IOException {
    String[][] cases = {
      {"f16", "65520"}, {"f16be", "-1e5"}, {"f32", "3.5e38"}, {"f32be", "-1e39"}, {"f64", "1e309"},
    };
    for (String[] one : cases) {
      String lines = "real general\n1 1 1\n1 1 " + one[1] + "\n";
      refusedText("number of type " + one[0] + ", line 3", lines, "--type", one[0]);
    }
    refusedText("line 3", "complex general\n1 1 1\n1 1 1 1e39\n", "--type", "complex64");
    String most = "real general\n1 3 3\n1 1 65504\n1 2 inf\n1 3 -inf\n";
    good("import", text(most), folder + "/good.h5:/m", "--from", "mtx", "--type", "f16");
    String dump = good("dump", folder + "/good.h5:/m").out();
    assertTrue(dump.contains("65504"), dump);
  }

  @Test
  void an_endless_line_is_refused_without_reading_it_into_memory() throws IOException {
    String endless = " ".repeat(2 << 20);
    refusedText("characters of a line, line 2", "real general\n%" + endless + "\n1 1 1\n1 1 1\n");
    refusedText("characters of a line, line 3", "real general\n1 1 1\n" + endless);
  }

  @Test
  void long_lines_and_all_line_terminators_are_accepted() throws IOException {
    String comment = "%" + "x".repeat(200_000);
    for (String end : new String[] {"\n", "\r\n", "\r"}) {
      String out = folder + "/lines" + end.length() + (int) end.charAt(0) + ".h5:/m";
      String content = "real general\n" + comment + "\n\n2 2 2\n1 1 5\n2 2 7";
      good("import", text(content.replace("\n", end)), out, "--from", "mtx");
      String dump = good("dump", out).out();
      assertTrue(dump.contains("5.0") && dump.contains("7.0"), dump);
    }
  }
}
