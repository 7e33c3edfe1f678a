package io.skerry.integration.randomprogram;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.Attribute;
import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Mpi;
import io.skerry.parallel.FileOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * A program that flushes repeatedly until it is killed.
 *
 * <pre>KilledWriter FILE FOLDER SEED LAST READERS</pre>
 *
 * Each rank writes its process id to the file {@code pid-RANK} in the folder. Rank 0 appends lines
 * to the file {@code said}: {@code flushing N} before a flush, {@code acknowledged N} after it has
 * returned on all ranks, and {@code took MICROSECONDS}. After flush LAST, the job writes {@code
 * closing N}, closes the file with a flush, and waits to be killed. READERS is {@code live} if
 * other processes may follow the file, otherwise {@code none}.
 */
final class KilledWriter {
  static final String SAID = "said";
  static final String FLUSHING = "flushing ";
  static final String ACKNOWLEDGED = "acknowledged ";
  static final String TOOK = "took ";
  static final String CLOSING = "closing ";

  private final Communicator world;
  private final Path folder;

  /** The readers of the file while it is written. */
  enum Readers {
    NONE,
    LIVE;

    private FileOptions options() {
      return this == NONE
          ? Scenario.OPTIONS
          : Scenario.OPTIONS.withLiveReaders(FileOptions.LiveReaders.standard());
    }
  }

  private KilledWriter(Communicator world, Path folder) {
    this.world = world;
    this.folder = folder;
  }

  /** Runs until killed. */
  public static void main(String[] args) {
    System.exit(
        Mpi.run(world -> {
          new KilledWriter(world, Path.of(args[1]))
              .run(
                  Path.of(args[0]),
                  Long.parseLong(args[2]),
                  Integer.parseInt(args[3]),
                  Readers.valueOf(args[4].toUpperCase(Locale.ROOT)).options());
          return 0;
        }));
  }

  private void run(Path path, long seed, int last, FileOptions options)
      throws IOException, InterruptedException {
    Path pid = folder.resolve("pid-" + world.rank());
    Path hidden = folder.resolve("hidden-" + world.rank());
    Files.writeString(hidden, Long.toString(ProcessHandle.current().pid()));
    Files.move(hidden, pid);
    NumberedFlushes program = new NumberedFlushes(seed);
    try (H5File file = H5File.create(path, world, options)) {
      for (int number = 0; number <= last; number++) {
        perform(file, program, program.next());
        say(FLUSHING + number);
        long started = System.nanoTime();
        file.flush();
        // A flush is acknowledged only after it has returned on all ranks.
        world.barrier();
        say(ACKNOWLEDGED + number);
        say(TOOK + (System.nanoTime() - started) / 1000);
      }
      perform(file, program, program.next());
      say(CLOSING + (last + 1));
    }
    world.barrier();
    say(ACKNOWLEDGED + (last + 1));
    Thread.sleep(600_000);
  }

  private void perform(H5File file, NumberedFlushes program, NumberedFlushes.Turn turn) {
    ProgramPlayer player = new ProgramPlayer(world, program.model());
    turn.steps().forEach(step -> player.perform(file, step));
    if (turn.number() == 0) {
      program.texts().forEach(column -> column.create(file));
      file.createGroup(NumberedFlushes.GROUPS);
    }
    for (int i = 0; i < turn.texts().size(); i++) {
      program.texts().get(i).perform(file, turn.texts().get(i), world);
    }
    turn.created().forEach(name -> file.createGroup(NumberedFlushes.GROUPS + "/" + name));
    turn.deleted().forEach(name -> file.unlink(NumberedFlushes.GROUPS + "/" + name));
    file.root().setAttribute(Attribute.of(NumberedFlushes.NUMBER, turn.number()));
  }

  /** Writes a line with one system call, so that a kill leaves the whole line or nothing. */
  private void say(String line) throws IOException {
    if (world.rank() == 0) {
      Files.write(
          folder.resolve(SAID),
          (line + "\n").getBytes(UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
