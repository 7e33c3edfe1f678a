package io.skerry.collective.commit;

import io.skerry.chunk.FormatException;
import io.skerry.collective.CommitException;
import io.skerry.collective.FileSource;
import io.skerry.format.ByteSource;
import io.skerry.format.Journal;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiFile;
import io.skerry.mpi.OpenMode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finishes or discards a commit that was interrupted. One process does it, before others open. */
public final class Recovery {
  private Recovery() {}

  /**
   * Brings a file to the state of exactly one flush and removes its journal.
   *
   * @throws IllegalStateException if a writer has the file open
   * @throws CommitException if another program changed the file since the interruption
   */
  public static void recover(Path file) throws IOException {
    Optional<JournalFile> found = JournalFile.existing(file);
    if (found.isEmpty()) {
      return;
    }
    try (JournalFile journal = found.get()) {
      journal.lock();
      Optional<JournalFile.Content> content = content(journal);
      if (content.isPresent()) {
        finish(file, content.get());
      }
      Files.delete(journal.path());
    }
  }

  /** Removes the journal of a file that is about to be replaced. */
  public static void forget(Path file) throws IOException {
    Optional<JournalFile> found = JournalFile.existing(file);
    if (found.isPresent()) {
      try (JournalFile journal = found.get()) {
        journal.lock();
        Files.delete(journal.path());
      }
    }
  }

  private static Optional<JournalFile.Content> content(JournalFile journal) throws IOException {
    try {
      return journal.content();
    } catch (FormatException e) {
      // Not whole, so nothing was replaced yet.
      return Optional.empty();
    }
  }

  private static void finish(Path file, JournalFile.Content content) throws IOException {
    try (MpiFile open = Communicator.self().openFile(file, OpenMode.WRITE, Map.of())) {
      ByteSource source = new FileSource(open, content.base());
      List<Journal> parts = new ArrayList<>();
      for (MemorySegment part : content.parts()) {
        switch (Journal.decide(part, source)) {
          case DISCARD -> {
            return;
          }
          case REFUSE ->
              throw new CommitException(
                  "the file was changed by another program after an interrupted commit;"
                      + " neither its old nor its new state is whole: file="
                      + file
                      + " journal="
                      + JournalFile.pathOf(file));
          case REPLAY, ALREADY_DONE -> parts.add(Journal.decode(part));
        }
      }
      for (Journal part : parts) {
        for (Journal.Entry entry : part.entries()) {
          open.writeAt(content.base() + entry.address(), entry.image().segment());
        }
      }
      open.sync();
    }
  }
}
