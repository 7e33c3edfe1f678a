package io.skerry.integration.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Mpi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Runs a {@link CrashProgram} in a process whose system calls are traced.
 *
 * <pre>CrashWriter FOLDER SEED THREADS</pre>
 *
 * THREADS is the number of ranks as threads, or 0 if {@code mpirun} starts the ranks. Rank 0
 * appends lines to the file {@link #MARKS} in the folder: {@code begin N} before any rank enters
 * step N, and {@code flushed N} after step N, a flush, has returned on all ranks. Closing the file
 * counts as the step after the last.
 */
final class CrashWriter {
  static final String FILE = "crash.h5";
  static final String MARKS = "marks";
  static final String BEGIN = "begin ";
  static final String FLUSHED = "flushed ";

  private final Communicator world;
  private final Path folder;
  private final CrashProgram program;

  private CrashWriter(Communicator world, Path folder, CrashProgram program) {
    this.world = world;
    this.folder = folder;
    this.program = program;
  }

  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    long seed = Long.parseLong(args[1]);
    int threads = Integer.parseInt(args[2]);
    if (threads > 0) {
      LocalRanks.run(
          threads, world -> new CrashWriter(world, folder, new CrashProgram(seed)).run());
    } else {
      System.exit(
          Mpi.run(world -> {
            new CrashWriter(world, folder, new CrashProgram(seed)).run();
            return 0;
          }));
    }
  }

  private void run() throws IOException {
    H5File file = H5File.create(folder.resolve(FILE), world, program.options());
    int last = program.steps().size();
    for (int number = 0; number < last; number++) {
      CrashStep step = program.steps().get(number);
      mark(BEGIN + number);
      step.perform(file, world);
      if (step instanceof CrashStep.Flush) {
        mark(FLUSHED + number);
      }
    }
    mark(BEGIN + last);
    file.close();
    mark(FLUSHED + last);
  }

  /** Writes a mark after all ranks have ended the previous step and before any begins the next. */
  private void mark(String line) throws IOException {
    world.barrier();
    if (world.rank() == 0) {
      Files.write(
          folder.resolve(MARKS),
          (line + "\n").getBytes(UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    world.barrier();
  }
}
