package io.skerry.testkit.written;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A long run in a process of its own.
 *
 * <pre>WrittenMain FORM FIRST COUNT [FOLDER]</pre>
 *
 * Prints each defect and after every 25 files the counts so far as JSON; exit code 1 if there was a
 * defect. Files of batches with defects stay in the folder.
 */
public final class WrittenMain {
  private static final int BATCH = 25;

  private WrittenMain() {}

  /** Runs it. */
  public static void main(String[] args) throws IOException {
    WrittenForm form = WrittenForm.named(args[0]);
    long first = Long.parseLong(args[1]);
    int count = Integer.parseInt(args[2]);
    Path folder =
        args.length > 3
            ? Files.createDirectories(Path.of(args[3]))
            : Files.createTempDirectory("written");
    Tally tally = new Tally();
    WrittenFiles files = new WrittenFiles(form, folder, tally);
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
