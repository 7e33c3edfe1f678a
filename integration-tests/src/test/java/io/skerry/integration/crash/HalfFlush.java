package io.skerry.integration.crash;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.collective.multifile.FileSource;
import io.skerry.format.superblock.Superblock;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.selection.Selection;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a flush that ends at a chosen file call. The flush extends the dataset {@code /x}, fills it
 * with one value and sets an attribute of the root group.
 *
 * <pre>HalfFlush FILE RANKS STAGE CALL</pre>
 *
 * halts the process at that call, as a kill does. RANKS is the number of ranks, each a thread.
 */
final class HalfFlush {
  static final int ROWS = 60;
  static final int VALUE = 2;
  static final String ATTRIBUTE = "flush";

  private HalfFlush() {}

  /** The stages of a flush, each of which ends with a sync. */
  enum Stage {
    NEW_BLOCKS,
    MARK,
    REPLACED_BLOCKS,
    SUPERBLOCK
  }

  /** The outcome of a flush. */
  enum Outcome {
    STORED,
    FAILED,
    BROKEN
  }

  /** The action at the chosen call. */
  @FunctionalInterface
  interface End {
    Optional<MpiException> come(int rank, FileCall call);
  }

  /** Applies the {@link End} to the calls of one kind in one stage. All ranks share the probe. */
  private static final class StageProbe implements FileProbe {
    private final Stage stage;
    private final FileCall call;
    private final End end;
    private final Map<Integer, Integer> syncs = new HashMap<>();

    StageProbe(Stage stage, FileCall call, End end) {
      this.stage = stage;
      this.call = call;
      this.end = end;
    }

    @Override
    public synchronized Optional<MpiException> before(
        int rank, FileCall made, FileView view, MemorySegment data) {
      boolean there = syncs.getOrDefault(rank, 0) == stage.ordinal() && made == call;
      if (made == FileCall.SYNC) {
        syncs.merge(rank, 1, Integer::sum);
      }
      return there ? end.come(rank, made) : Optional.empty();
    }
  }

  public static void main(String[] args) {
    run(
        Path.of(args[0]),
        Integer.parseInt(args[1]),
        Stage.valueOf(args[2]),
        FileCall.valueOf(args[3]),
        (_, _) -> {
          Runtime.getRuntime().halt(9);
          throw new IllegalStateException("halted");
        });
  }

  /** Flushes while the calls of one kind in one stage fail on rank {@code failing}. */
  static Outcome failing(Path path, int ranks, Stage stage, FileCall call, int failing) {
    return run(
        path,
        ranks,
        stage,
        call,
        (rank, made) ->
            rank == failing ? Optional.of(FileProbe.deviceFails(rank, made)) : Optional.empty());
  }

  private static Outcome run(Path path, int ranks, Stage stage, FileCall call, End end) {
    StageProbe probe = new StageProbe(stage, call, end);
    return LocalRanks.call(ranks, world -> flush(path, new ProbedCommunicator(world, probe)))
        .getFirst();
  }

  private static Outcome flush(Path path, Communicator world) {
    H5File file = H5File.openForWriting(path, world);
    try {
      change(file, world.rank(), world.size());
      file.flush();
      return Outcome.STORED;
    } catch (CommitException e) {
      return Outcome.BROKEN;
    } catch (CollectiveException e) {
      requireWhole(path);
      // The pending changes are kept, and the next flush stores them.
      file.flush();
      return Outcome.FAILED;
    } finally {
      file.discard();
    }
  }

  /** Requires that other programs can open the file, in the state of the previous flush. */
  private static void requireWhole(Path path) {
    try (MpiFile open = Communicator.self().openFile(path, OpenMode.READ, Map.of())) {
      var unused = Superblock.find(new FileSource(open, 0));
    }
  }

  private static void change(H5File file, int rank, int ranks) {
    Dataset data = file.dataset("/x");
    data.extend(ROWS);
    int rows = ROWS / ranks;
    int[] values = new int[rows];
    Arrays.fill(values, VALUE);
    data.write(Selection.at((long) rank * rows).extent(rows), values);
    file.root().setAttribute(Attribute.of(ATTRIBUTE, VALUE));
  }
}
