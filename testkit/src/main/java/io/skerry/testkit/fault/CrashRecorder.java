package io.skerry.testkit.fault;

import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Records the writes of all ranks to a file, and constructs the states that a crash could have
 * left. The states are those of a device that writes each 512-byte sector atomically, but may write
 * the sectors between two syncs in any order. The writes of a rank before its first sync belong to
 * epoch 0, those between its first and its second sync to epoch 1, and so on. Calls that set the
 * size of the file are not recorded.
 */
public final class CrashRecorder implements FileProbe {
  private static final int SECTOR = 512;

  private record Write(int epoch, long offset, byte[] bytes) {}

  private final Path journal;
  private final byte[] base;
  private final Map<Integer, Integer> epochOf = new TreeMap<>();
  private final List<Write> writes = new ArrayList<>();
  private final Map<Integer, byte[]> journals = new TreeMap<>();
  private boolean recording;

  /**
   * Creates a recorder.
   *
   * @param base the content of the file before the recording
   * @param journal another file; its content is recorded at the first write of each epoch
   */
  public CrashRecorder(byte[] base, Path journal) {
    this.base = base.clone();
    this.journal = journal;
  }

  /** Begins the recording; the content of the file must equal the base. */
  public synchronized void begin() {
    recording = true;
  }

  @Override
  public synchronized Optional<MpiException> before(
      int rank, FileCall call, FileView view, MemorySegment data) {
    if (!recording) {
      return Optional.empty();
    }
    int epoch = epochOf.getOrDefault(rank, 0);
    if (call == FileCall.SYNC) {
      epochOf.put(rank, epoch + 1);
    } else if (call == FileCall.WRITE || call == FileCall.WRITE_ALONE) {
      keepJournal(epoch);
      long at = 0;
      for (int i = 0; i < view.blocks(); i++) {
        byte[] bytes = data.asSlice(at, view.length(i)).toArray(ValueLayout.JAVA_BYTE);
        writes.add(new Write(epoch, view.offset(i), bytes));
        at += bytes.length;
      }
    }
    return Optional.empty();
  }

  private void keepJournal(int epoch) {
    try {
      if (!journals.containsKey(epoch)) {
        journals.put(epoch, Files.exists(journal) ? Files.readAllBytes(journal) : new byte[0]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of epochs up to the last one that contains a write. */
  public synchronized int epochs() {
    return writes.stream().mapToInt(w -> w.epoch() + 1).max().orElse(0);
  }

  /** Returns the number of bytes written in an epoch. */
  public synchronized long bytes(int epoch) {
    return writes.stream().filter(w -> w.epoch() == epoch).mapToLong(w -> w.bytes().length).sum();
  }

  /**
   * Returns the content of the journal at the first write of an epoch; empty if there was no such
   * write or no journal.
   */
  public synchronized byte[] journal(int epoch) {
    return Optional.ofNullable(journals.get(epoch)).orElse(new byte[0]).clone();
  }

  /**
   * Returns the content of the file after a crash in an epoch: the base with all writes of earlier
   * epochs, and with a random subset of the sectors that this epoch wrote, each included with the
   * given probability.
   */
  public synchronized byte[] crashedIn(int epoch, double probability, RandomGenerator random) {
    byte[] file = base.clone();
    Map<Long, Boolean> arrived = new TreeMap<>();
    for (Write write : writes) {
      if (write.epoch() > epoch) {
        continue;
      }
      int end = Math.toIntExact(write.offset() + write.bytes().length);
      file = end > file.length ? Arrays.copyOf(file, end) : file;
      for (int i = 0; i < write.bytes().length; i++) {
        long sector = (write.offset() + i) / SECTOR;
        if (write.epoch() < epoch
            || arrived.computeIfAbsent(sector, _ -> random.nextDouble() < probability)) {
          file[(int) write.offset() + i] = write.bytes()[i];
        }
      }
    }
    return file;
  }
}
