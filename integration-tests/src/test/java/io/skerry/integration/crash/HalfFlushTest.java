package io.skerry.integration.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.integration.crash.HalfFlush.Outcome;
import io.skerry.integration.crash.HalfFlush.Stage;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FoundJournal;
import io.skerry.recovery.FileRecovery;
import io.skerry.selection.Selection;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.launch.ChildProgram;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests files with an unfinished flush, with and without their journal, in HDF5 and Skerry. */
class HalfFlushTest {
  private static final int SIGNATURE_TO_FLAGS = 11;

  /** Size of offsets and of the user block in bytes, lower and upper version bound. */
  private static final List<String> FORMS =
      List.of(
          "8 0 earliest v108",
          "4 1024 earliest v108",
          "2 0 earliest v108",
          "4 512 v108 v108",
          "8 0 v110 latest",
          "8 2048 v110 latest");

  private static final String EARLIEST = FORMS.get(1);
  private static final String NEWEST = FORMS.get(4);

  private static final String MAKE =
      """
      import sys, h5py, numpy as np
      path, size, block, low, high = sys.argv[1:]
      bounds = {'earliest': h5py.h5f.LIBVER_EARLIEST, 'v108': h5py.h5f.LIBVER_V18,
                'v110': h5py.h5f.LIBVER_V110, 'latest': h5py.h5f.LIBVER_LATEST}
      p = h5py.h5p.create(h5py.h5p.FILE_CREATE)
      p.set_sizes(int(size), 8)
      p.set_userblock(int(block))
      a = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
      a.set_libver_bounds(bounds[low], bounds[high])
      with h5py.File(h5py.h5f.create(path.encode(), h5py.h5f.ACC_TRUNC, p, a)) as f:
          f.create_dataset('x', data=np.ones(40, dtype='<i4'), chunks=(10,), maxshape=(None,))
      """;

  /** Opens a copy of the file in each mode and prints the content or the error. */
  private static final String OPEN =
      """
      import sys, shutil, h5py
      for options in {'mode': 'r'}, {'mode': 'r', 'swmr': True}, {'mode': 'r+'}:
          shutil.copy(sys.argv[1], 'copy.h5')
          try:
              with h5py.File('copy.h5', **options) as f:
                  x = f['x'][...]
                  print(sorted(set(x.tolist())), len(x), dict(f.attrs))
          except OSError as e:
              print('refused', e)
      """;

  private static final List<Oracle> H5PY = Oracle.h5py();

  @TempDir Path folder;
  private Path file;
  private Path journal;

  @BeforeEach
  void places() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    file = folder.resolve("x.h5");
    journal = folder.resolve("x.h5.journal");
  }

  private void make(String form) {
    List<Object> line = new ArrayList<>(List.of("-c", MAKE, file));
    line.addAll(List.of(form.split(" ")));
    H5PY.getFirst().run(folder, line.toArray()).expectSuccess();
  }

  private List<String> opened(Oracle h5py) {
    return h5py.run(folder, "-c", OPEN, file).expectSuccess().out().lines().toList();
  }

  private void isRefusedByOthers(String form) {
    for (Oracle h5py : H5PY) {
      List<String> said = opened(h5py);
      assertEquals(3, said.size(), form);
      for (String line : said) {
        assertTrue(line.startsWith("refused "), () -> form + " " + h5py.name() + ": " + line);
      }
      assertTrue(said.getFirst().contains("truncated file"), said::toString);
    }
    Oracle.tool("h5dump").ifPresent(tool -> assertNotEquals(0, tool.run(folder, file).code()));
  }

  /** Asserts that HDF5 and Skerry read the state of the flush that stored {@code value}. */
  private void holds(int value, String form) throws IOException {
    assertEquals(List.of(), findings(), form);
    try (H5File read = H5File.open(file)) {
      int[] expected = new int[value == HalfFlush.VALUE ? HalfFlush.ROWS : 40];
      Arrays.fill(expected, value);
      assertArrayEquals(expected, read.dataset("/x").readInts(Selection.all()), form);
    }
    assertFalse(Files.exists(journal), form);
    for (Oracle h5py : H5PY) {
      String said = opened(h5py).getFirst();
      boolean after = said.startsWith("[2] 60 ") && said.contains(HalfFlush.ATTRIBUTE);
      assertTrue(value == HalfFlush.VALUE ? after : said.equals("[1] 40 {}"), form + ": " + said);
    }
  }

  private List<Verification.Finding> findings() {
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(file, findings::add);
    return findings;
  }

  @Test
  void every_superblock_version_marks_an_unfinished_flush_and_is_recovered() throws Exception {
    for (String form : FORMS) {
      int ranks = FORMS.indexOf(form) % 2 == 0 ? 1 : 3;
      make(form);
      byte[] before = Files.readAllBytes(file);
      // The other ranks replace their blocks, so the file mixes two flushes.
      Outcome outcome = HalfFlush.failing(file, ranks, Stage.REPLACED_BLOCKS, FileCall.WRITE, 0);
      assertEquals(Outcome.BROKEN, outcome, form);
      assertEquals(FoundJournal.State.PENDING, FileRecovery.look(file).orElseThrow().state(), form);
      int block = Integer.parseInt(form.split(" ")[1]);
      byte[] half = Files.readAllBytes(file);
      assertArrayEquals(Arrays.copyOf(before, block), Arrays.copyOf(half, block), form);
      isRefusedByOthers(form);
      switch (FORMS.indexOf(form) % 3) {
        case 0 -> assertEquals(FoundJournal.State.PENDING, recovered());
        case 1 -> H5File.open(file).close();
        default -> H5File.openForWriting(file, Communicator.self()).close();
      }
      holds(HalfFlush.VALUE, form);
    }
  }

  private FoundJournal.State recovered() throws IOException {
    return FileRecovery.recover(file).orElseThrow().state();
  }

  @Test
  void a_process_killed_after_the_mark_leaves_a_file_that_other_programs_refuse() throws Exception {
    for (int ranks : new int[] {1, 3}) {
      make(ranks == 1 ? NEWEST : EARLIEST);
      killed(ranks, Stage.REPLACED_BLOCKS, ranks == 1 ? FileCall.WRITE : FileCall.SYNC);
      String name = ranks + " ranks killed";
      isRefusedByOthers(name);
      assertEquals(FoundJournal.State.PENDING, recovered(), name);
      holds(HalfFlush.VALUE, name);
    }
  }

  @Test
  void a_process_killed_before_the_mark_leaves_a_file_that_other_programs_read() throws Exception {
    make(NEWEST);
    killed(3, Stage.MARK, FileCall.WRITE);
    for (Oracle h5py : H5PY) {
      assertEquals("[1] 40 {}", opened(h5py).getFirst());
    }
    // The journal already contains all changes of the flush.
    assertEquals(FoundJournal.State.PENDING, recovered());
    holds(HalfFlush.VALUE, "killed before the mark");
  }

  private void killed(int ranks, Stage stage, FileCall call) throws Exception {
    ChildProgram.Ended ended =
        ChildProgram.of(HalfFlush.class, file, ranks, stage.name(), call.name())
            .run(folder, "killed.log", Duration.ofSeconds(60));
    assertEquals(9, ended.exitCode(), ended.output());
  }

  @Test
  void a_flush_that_fails_at_the_mark_leaves_the_previous_state_and_can_be_repeated()
      throws Exception {
    for (int ranks : new int[] {1, 3}) {
      for (FileCall call : new FileCall[] {FileCall.WRITE, FileCall.SYNC}) {
        make(ranks == 1 ? NEWEST : EARLIEST);
        Outcome outcome = HalfFlush.failing(file, ranks, Stage.MARK, call, ranks - 1);
        String name = ranks + " ranks, " + call;
        assertEquals(Outcome.FAILED, outcome, name);
        holds(HalfFlush.VALUE, name);
      }
    }
  }

  @Test
  void a_file_without_its_journal_is_refused_until_the_journal_is_restored() throws Exception {
    for (String form : List.of(EARLIEST, NEWEST)) {
      make(form);
      HalfFlush.failing(file, 3, Stage.REPLACED_BLOCKS, FileCall.WRITE, 1);
      Path kept = Files.move(journal, folder.resolve("kept"));
      byte[] half = Files.readAllBytes(file);
      isLost(() -> H5File.open(file).close());
      isLost(() -> H5File.openForWriting(file, Communicator.self()).close());
      assertTrue(
          findings().getFirst().toString().contains("an interrupted flush"), findings()::toString);
      assertArrayEquals(half, Files.readAllBytes(file));
      assertFalse(Files.exists(journal));
      Files.move(kept, journal);
      assertEquals(FoundJournal.State.PENDING, recovered());
      holds(HalfFlush.VALUE, form);
    }
  }

  /**
   * Asserts that opening fails since the journal is missing, and that the error names the journal.
   */
  private void isLost(Runnable opening) {
    CollectiveException e = assertThrows(CollectiveException.class, opening::run);
    assertTrue(e.getMessage().contains("an interrupted flush"), e.getMessage());
    assertTrue(e.getMessage().contains(file + ".journal"), e.getMessage());
    assertTrue(e.getMessage().contains("--without-journal"), e.getMessage());
  }

  @Test
  void an_empty_truncated_or_older_journal_does_not_complete_an_unfinished_flush()
      throws Exception {
    make(NEWEST);
    HalfFlush.failing(file, 1, Stage.SUPERBLOCK, FileCall.WRITE, 0);
    byte[] half = Files.readAllBytes(file);
    byte[] whole = Files.readAllBytes(journal);
    for (int length : new int[] {0, 100, whole.length - 1}) {
      Files.write(journal, Arrays.copyOf(whole, length));
      isLost(() -> H5File.open(file).close());
      assertEquals(length, Files.size(journal));
    }
    Files.write(journal, whole);
    assertEquals(FoundJournal.State.PENDING, recovered());
    try (H5File later = H5File.openForWriting(file, Communicator.self())) {
      later.createGroup("/later");
    }
    HalfFlush.failing(file, 1, Stage.REPLACED_BLOCKS, FileCall.WRITE, 0);
    Files.write(journal, whole);
    byte[] second = Files.readAllBytes(file);
    assertFalse(Arrays.equals(half, second));
    CommitException e = assertThrows(CommitException.class, this::recovered);
    assertTrue(e.getMessage().contains("changed by another program"), e.getMessage());
    assertArrayEquals(second, Files.readAllBytes(file));
    assertTrue(Files.exists(journal));
  }

  @Test
  void the_flags_of_the_mark_are_those_of_a_file_that_h5py_has_open() throws Exception {
    String open =
        """
        import os, sys, h5py
        f = h5py.File(sys.argv[1], 'w', libver='latest')
        f.create_dataset('x', data=[1] * 40, chunks=(10,), maxshape=(None,), dtype='<i4')
        f.flush()
        os._exit(0)
        """;
    for (Oracle h5py : H5PY) {
      h5py.run(folder, "-c", open, file).expectSuccess();
      byte[] foreign = Files.readAllBytes(file);
      assertEquals(1, foreign[SIGNATURE_TO_FLAGS]);
      assertTrue(opened(h5py).getFirst().contains("already open for write"));
      // An HDF5 writer that crashes leaves only the flag. Skerry reads and changes such a file.
      assertEquals(List.of(), findings());
      assertEquals(Outcome.BROKEN, HalfFlush.failing(file, 1, Stage.SUPERBLOCK, FileCall.WRITE, 0));
      assertEquals(foreign[SIGNATURE_TO_FLAGS], Files.readAllBytes(file)[SIGNATURE_TO_FLAGS]);
      isRefusedByOthers(h5py.name());
      assertEquals(FoundJournal.State.PENDING, recovered());
      assertEquals(0, Files.readAllBytes(file)[SIGNATURE_TO_FLAGS]);
      holds(HalfFlush.VALUE, h5py.name());
    }
  }

  @Test
  void h5clear_does_not_make_an_unfinished_flush_readable() throws Exception {
    make(NEWEST);
    HalfFlush.failing(file, 1, Stage.REPLACED_BLOCKS, FileCall.SYNC, 0);
    byte[] half = Files.readAllBytes(file);
    Oracle.tool("h5clear")
        .ifPresent(tool -> {
          ProcessResult ran = tool.run(folder, "-s", file);
          assertNotEquals(0, ran.code());
        });
    assertArrayEquals(half, Files.readAllBytes(file));
    assertEquals(FoundJournal.State.PENDING, recovered());
    holds(HalfFlush.VALUE, "h5clear");
  }

  @Test
  void a_file_whose_journal_is_lost_is_opened_on_request() throws Exception {
    for (String form : List.of(EARLIEST, NEWEST)) {
      make(form);
      assertThrows(IllegalStateException.class, () -> FileRecovery.withoutJournal(file));
      assertFalse(Files.exists(journal));
      // All blocks except the superblock are replaced.
      HalfFlush.failing(file, 1, Stage.SUPERBLOCK, FileCall.WRITE, 0);
      byte[] half = Files.readAllBytes(file);
      assertThrows(IllegalStateException.class, () -> FileRecovery.withoutJournal(file));
      assertArrayEquals(half, Files.readAllBytes(file));
      Files.delete(journal);
      assertEquals(file, FileRecovery.withoutJournal(file).orElseThrow());
      holds(HalfFlush.VALUE, form);
    }
  }

  @Test
  void a_file_that_is_no_journal_but_has_its_name_is_kept() throws Exception {
    make(NEWEST);
    HalfFlush.failing(file, 1, Stage.SUPERBLOCK, FileCall.WRITE, 0);
    byte[] half = Files.readAllBytes(file);
    byte[] notes = "notes about x.h5".getBytes(UTF_8);
    Files.write(journal, notes);
    IOException e = assertThrows(IOException.class, () -> FileRecovery.withoutJournal(file));
    assertTrue(e.getMessage().contains("is not a journal"), e.getMessage());
    assertArrayEquals(notes, Files.readAllBytes(journal));
    assertArrayEquals(half, Files.readAllBytes(file));
  }
}
