package io.skerry.collective.commit;

import io.skerry.chunk.FormatException;
import io.skerry.collective.CommitException;
import io.skerry.format.ByteSource;
import io.skerry.format.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
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
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteSource source = new ChannelSource(channel, content.base(), file.toString());
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
          write(channel, content.base() + entry.address(), entry.image().segment());
        }
      }
      channel.force(true);
    }
  }

  private static void write(FileChannel channel, long at, MemorySegment bytes) throws IOException {
    ByteBuffer buffer = bytes.asByteBuffer();
    long position = at;
    while (buffer.hasRemaining()) {
      position += channel.write(buffer, position);
    }
  }

  /** Positional reads of a file that is not open on any communicator. */
  private record ChannelSource(FileChannel channel, long base, String name) implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      if (address < 0 || length < 0 || length > size() - address) {
        throw new FormatException(
                "a journalled block lies outside the file", size(), address + "+" + length)
            .inFile(name);
      }
      try {
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(length));
        while (buffer.hasRemaining()) {
          if (channel.read(buffer, base + address + buffer.position()) < 0) {
            throw new IOException("file ends early: file=" + name);
          }
        }
        return MemorySegment.ofArray(buffer.array());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public long size() {
      try {
        return channel.size() - base;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
