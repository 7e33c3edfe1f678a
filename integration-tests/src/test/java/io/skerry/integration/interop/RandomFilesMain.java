package io.skerry.integration.interop;

import io.skerry.integration.random.FileForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs {@link RandomFiles} for many seeds in a separate process.
 *
 * <pre>RandomFilesMain FORM FIRST COUNT [FOLDER]</pre>
 *
 * Prints each defect and, after every 25 files, the counts so far as JSON. The exit code is 1 if
 * there was a defect. Files of batches with defects are kept.
 */
public final class RandomFilesMain {
  private static final int BATCH = 25;

  private RandomFilesMain() {}

  public static void main(String[] args) throws IOException {
    FileForm form = FileForm.named(args[0]);
    long first = Long.parseLong(args[1]);
    int count = Integer.parseInt(args[2]);
    Path folder =
        args.length > 3
            ? Files.createDirectories(Path.of(args[3]))
            : Files.createTempDirectory("written");
    Tally tally = new Tally();
    RandomFiles files = new RandomFiles(form, folder, tally);
    int told = 0;
    for (int done = 0; done < count; done += BATCH) {
      files.judge(first + done, Math.min(BATCH, count - done));
      tally.defects().subList(told, tally.defects().size()).forEach(System.out::println);
      told = tally.defects().size();
      System.out.println(
          form.name() + ": " + Math.min(count, done + BATCH) + " seeds, " + told + " defects");
      System.out.println(tally.json());
    }
    System.exit(told == 0 ? 0 : 1);
  }
}
