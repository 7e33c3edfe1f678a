package io.skerry.jobs.integrity;

import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FoundJournal;
import io.skerry.parallel.FoundJournal.State;
import io.skerry.parallel.Trust;
import io.skerry.recovery.FileRecovery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Finishes or discards an interrupted flush, and reports the outcome. */
final class RecoverJob {
  private RecoverJob() {}

  /**
   * Recovers a file with the help of its journal.
   *
   * @throws JobException if the file does not exist, a writer or another recovery has locked it, a
   *     file of another kind has the name of the journal, or the journal cannot be read, removed or
   *     locked
   * @throws CommitException if another program changed the file after the interrupted flush
   * @throws io.skerry.exception.FormatException if the interrupted flush had replaced blocks, and
   *     the journal is empty or incomplete, or belongs to another flush
   * @throws io.skerry.mpi.MpiException if the file cannot be opened, read or written
   */
  static Json.Members run(Path file) {
    FoundJournal found = attempt(file, () -> FileRecovery.recover(file));
    return Json.object()
        .with("file", found.file().toString())
        .with("journal", found.journal().toString())
        .with("outcome", outcome(found.state()))
        .with("what", words(found.state()))
        .with("blocks", found.blocks())
        .with("bytes", found.bytes());
  }

  /**
   * Makes a file readable again if its journal is lost, by ending the interrupted flush without
   * completing or undoing it. The file may then contain parts of two flushes.
   *
   * @throws JobException if the file does not exist, a writer or another recovery has locked it, it
   *     has a journal with content, it needs no recovery, or its journal cannot be created, read,
   *     removed or locked
   * @throws io.skerry.mpi.MpiException if the file cannot be opened, read or written
   */
  static Json.Members runWithoutJournal(Path file) {
    Path ended = attempt(file, () -> FileRecovery.withoutJournal(file));
    return Json.object()
        .with("file", ended.toString())
        .with("outcome", "ended")
        .with(
            "what",
            "flush ended without its journal: the file may hold parts of two flushes, see skerry"
                + " verify");
  }

  /** A recovery operation on a file; its result is empty if the file does not exist. */
  @FunctionalInterface
  private interface Step<T> {
    Optional<T> take() throws IOException;
  }

  private static <T> T attempt(Path file, Step<T> step) {
    try {
      return step.take().orElseThrow(() -> new JobException("no such file: file=" + file));
    } catch (IllegalStateException e) {
      throw new JobException(e.getMessage() + " file=" + file, e);
    } catch (IOException e) {
      String cause = e.getClass().equals(IOException.class) ? e.getMessage() : e.toString();
      throw new JobException("the file cannot be recovered: " + cause + " file=" + file, e);
    }
  }

  /**
   * Checks that the recovered file can be opened.
   *
   * @throws io.skerry.parallel.CollectiveException if the file cannot be opened, for example
   *     because its writer was killed before the end of the first flush or because it is not an
   *     HDF5 file
   */
  static void check(Path file, Trust trust) {
    InputFile.open(file, Communicator.self(), trust).close();
  }

  private static String outcome(State state) {
    return switch (state) {
      case ABSENT, EMPTY -> "nothing";
      case UNFINISHED -> "discarded";
      case PENDING, DONE -> "replayed";
      case REFUSED -> throw new IllegalStateException("a refusal is an exception");
    };
  }

  private static String words(State state) {
    return switch (state) {
      case ABSENT -> "nothing to recover: there is no journal";
      case EMPTY -> "nothing to recover: the journal is empty, no flush was under way";
      case UNFINISHED ->
          "journal discarded: the flush under way had not replaced anything; the file holds the one"
              + " before";
      case PENDING -> "journal replayed: the file holds the flush that was under way";
      case DONE -> "journal replayed: all of it was in the file already";
      case REFUSED -> throw new IllegalStateException("a refusal is an exception");
    };
  }
}
