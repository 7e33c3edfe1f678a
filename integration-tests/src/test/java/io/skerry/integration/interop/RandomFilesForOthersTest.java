package io.skerry.integration.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.integration.random.FileForm;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that other programs read random files of Skerry correctly and that h5py changes them. */
class RandomFilesForOthersTest {
  /** The number of files of each form; {@code -Pslow} and {@code -Pstress} increase it. */
  private static final int FILES = Integer.getInteger("skerry.written.files", 5);

  private static final int BATCH = 25;

  @TempDir Path folder;

  static List<FileForm> forms() {
    return FileForm.all();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void random_files_are_read_and_changed_by_other_programs(FileForm form) throws IOException {
    assumeTrue(!Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    Tally tally = new Tally();
    RandomFiles files = new RandomFiles(form, folder, tally);
    for (int done = 0; done < FILES; done += BATCH) {
      files.judge(done, Math.min(BATCH, FILES - done));
    }
    System.out.println(form.name() + " " + tally.json());
    assertEquals("", String.join("\n", tally.defects()));
    assertEquals(FILES, tally.of("files written"));
    assertEquals(FILES, tally.of("verify: clean"));
  }

  @Test
  void a_file_of_another_plan_is_detected() {
    WritingPlan plan = WritingPlan.of(3, FileForm.standard());
    Path other = folder.resolve("other.h5");
    WritingPlan.of(4, FileForm.standard()).write(other);
    assertTrue(plan.difference(other).isPresent());
  }
}
